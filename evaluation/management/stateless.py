"""What the commands share that answer from files alone: arguments, refusals, answers."""

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.trec.faults import FileRefused
from annotate.trec.scale import GradeScale
from evaluation.measures.gains import GainsTooShort

BAD_INPUT = 2

T = TypeVar("T")


def argument(read: Callable[[str], T]) -> Callable[[str], T]:
    """`read` as a type for argparse, with the sentence of its ValueError as the complaint."""

    def read_argument(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return read_argument


def add_runs(parser: CommandParser) -> None:
    """Adds `--run`, once or more."""
    parser.add_argument(
        "--run",
        required=True,
        action="append",
        dest="run_files",
        metavar="FILE",
        help="a run, plain or .gz; again for more",
    )


def add_two_qrels(parser: CommandParser) -> None:
    """Adds `--qrels`, which is given twice."""
    parser.add_argument(
        "--qrels",
        required=True,
        action="append",
        metavar="FILE",
        help="qrels, plain or .gz; given twice, the reference (rows of tables) first",
    )


def two(qrels: list[str]) -> tuple[str, str]:
    """The two files of `--qrels`; raises CommandError for any other number."""
    if len(qrels) != 2:
        raise CommandError(f"--qrels is given twice, not {len(qrels)} times", returncode=BAD_INPUT)
    return qrels[0], qrels[1]


def add_scale(parser: CommandParser) -> None:
    """Adds `--scale`."""
    parser.add_argument(
        "--scale",
        type=argument(GradeScale.parse),
        default=GradeScale(),
        metavar="LOW-HIGH",
        help="scale of the grades, 0-3 if not said; pairs with a grade off it are left out and counted",
    )


@contextmanager
def refusing_bad_input() -> Iterator[None]:
    """Turns what is wrong with the files into a sentence on stderr and the exit code 2."""
    try:
        yield
    except (FileRefused, GainsTooShort) as error:
        raise CommandError(str(error), returncode=BAD_INPUT) from error


def answer(command: BaseCommand, answer: Mapping[str, object]) -> None:
    """Writes the answer as JSON on stdout."""
    command.stdout.write(json.dumps(answer, indent=2, allow_nan=False))

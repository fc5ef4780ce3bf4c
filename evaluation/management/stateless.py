"""What the commands share that answer from files alone: arguments, small files, refusals, answers."""

import argparse
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.formats.faults import FileRefused, Refused
from annotate.formats.scale import GradeScale
from evaluation.engine.grade_files import GradedFile
from evaluation.measures import registry
from evaluation.measures.definition import CannotMeasure
from evaluation.statistics import bootstrap, system_pairs
from evaluation.statistics.anova import Unbalanced
from evaluation.statistics.bootstrap import Interval, Over, Resampling
from evaluation.studies.design.plan import PlanRefused

BAD_INPUT = 2
SIDES = ("first", "second")

T = TypeVar("T")


def argument(read: Callable[[str], T]) -> Callable[[str], T]:
    """`read` as a type for argparse, with the sentence of its ValueError as the complaint."""

    def read_argument(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return read_argument


def share(text: str) -> float:
    """A number between 0 and 1, both excluded."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0.0 < number < 1.0:
        raise ValueError(f"{text!r} is no number between 0 and 1")
    return number


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


def add_qrels(parser: CommandParser, times: str) -> None:
    """Adds `--qrels`, which is given `times` (such as: twice)."""
    parser.add_argument(
        "--qrels",
        required=True,
        action="append",
        metavar="FILE",
        help=f"qrels, plain or .gz; given {times}, the reference (rows of tables) first",
    )


def two(qrels: list[str]) -> list[str]:
    """The two files of `--qrels`; raises CommandError for any other number."""
    return _given(qrels, (2,), "twice")


def two_or_more(qrels: list[str]) -> list[str]:
    """The files of `--qrels`; raises CommandError for a single one."""
    return _given(qrels, range(2, len(qrels) + 1), "twice or more")


def one_or_two(qrels: list[str]) -> list[str]:
    """The one or two files of `--qrels`; raises CommandError for any other number."""
    return _given(qrels, (1, 2), "once or twice")


def add_measure(parser: CommandParser, what: str) -> None:
    """Adds `--measure`, which is `what` of the systems."""
    parser.add_argument(
        "--measure", type=argument(registry.parse), default="nDCG@10", help=f"{what} (default: %(default)s)"
    )


def add_scale(parser: CommandParser) -> None:
    """Adds `--scale`."""
    parser.add_argument(
        "--scale",
        type=argument(GradeScale.parse),
        default=GradeScale(),
        metavar="LOW-HIGH",
        help="scale of the grades, 0-3 if not said; pairs with a grade off it are left out and counted",
    )


def add_alpha(parser: CommandParser) -> None:
    """Adds `--alpha`."""
    parser.add_argument(
        "--alpha",
        type=argument(share),
        default=system_pairs.LEVEL,
        metavar="SHARE",
        help="the error level of the tests (default: %(default)s)",
    )


def add_seed(parser: CommandParser, of: str) -> None:
    """Adds `--seed`."""
    parser.add_argument(
        "--seed", type=argument(_seed), default=0, metavar="NUMBER", help=f"seed of the {of} (default: %(default)s)"
    )


@contextmanager
def refusing_bad_input() -> Iterator[None]:
    """Turns what is wrong with the files into a sentence on stderr and the exit code 2."""
    try:
        yield
    except (FileRefused, Refused, CannotMeasure, Unbalanced, PlanRefused) as error:
        raise CommandError(str(error), returncode=BAD_INPUT) from error


def left_out(graded: Sequence[GradedFile]) -> dict[str, dict[str, int]]:
    """How many pairs of one or two files were left out, by side and why."""
    return {side: each.left_out() for side, each in zip(SIDES, graded, strict=False)}


def topics_only_in(graded: Sequence[GradedFile], topics: Sequence[str]) -> dict[str, list[str]]:
    """The topics of one or two files that are not among the common ones, by side."""
    return {side: sorted(each.qrels.keys() - set(topics)) for side, each in zip(SIDES, graded, strict=False)}


def answer(command: BaseCommand, answer: Mapping[str, object]) -> None:
    """Writes the answer as JSON on stdout."""
    command.stdout.write(json.dumps(answer, indent=2, allow_nan=False))


def _given(qrels: list[str], numbers: Collection[int], words: str) -> list[str]:
    if len(qrels) not in numbers:
        raise CommandError(f"--qrels is given {words}, not {len(qrels)} times", returncode=BAD_INPUT)
    return qrels


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"{text!r} is no whole number from 0 up")
    return int(text)


METHOD = "percentile bootstrap"

Intervals = Interval | Mapping[str, "Intervals"] | Mapping[int, "Intervals"]


def add_intervals(parser: CommandParser, over: tuple[Over, ...] = ("topics",)) -> None:
    """Adds `--intervals`, over topics if nothing else is asked for, `--level` and `--seed`."""
    parser.add_argument(
        "--intervals",
        dest="over",
        nargs="?",
        const="topics",
        choices=over,
        metavar="|".join(over),
        help=f"give {METHOD} intervals as well, of {bootstrap.USUAL.resamples} resamples; topics are drawn anew"
        + (" unless pairs are named" if "pairs" in over else ""),
    )
    _add_level(parser)
    add_seed(parser, "resamples")


def add_resampling(parser: CommandParser) -> None:
    """Adds `--level`, `--resamples` and `--seed` for a command that always gives intervals over topics."""
    _add_level(parser)
    parser.add_argument(
        "--resamples",
        type=argument(_resamples),
        default=bootstrap.USUAL.resamples,
        metavar="NUMBER",
        help="how often topics are drawn anew (default: %(default)s)",
    )
    add_seed(parser, "resamples")


def _resamples(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 100_000):
        raise ValueError(f"{text!r} is no whole number from 1 to 100,000")
    return int(text)


def _add_level(parser: CommandParser) -> None:
    parser.add_argument(
        "--level",
        type=argument(share),
        default=bootstrap.USUAL.level,
        metavar="SHARE",
        help="the share of the resamples that an interval spans (default: %(default)s)",
    )


def asked_resampling(over: Over | None, level: float, seed: int) -> Resampling | None:
    """What is drawn anew, and how; None where no intervals are asked for."""
    return Resampling(over=over, level=level, seed=seed) if over else None


def interval_json(result: Intervals) -> dict[str, object]:
    """An interval with the name of its method, or intervals by name, at any depth."""
    if isinstance(result, Interval):
        return {"method": METHOD, **result.as_json()}
    return {str(name): interval_json(each) for name, each in result.items()}


def read_tabbed(file: str, first: str, second: str) -> dict[str, str]:
    """The second column by the first. Raises CommandError, naming the line and what the columns should be."""
    try:
        lines = Path(file).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file}: {error}", returncode=BAD_INPUT) from error
    result: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        name, tab, value = line.partition("\t")
        if not (name and tab and value.strip()) or name in result:
            again = f"{name!r} again" if name in result else f"no {first} and {second} with a tab between them"
            raise CommandError(f"{file}, line {number}: {again}", returncode=BAD_INPUT)
        result[name] = value.strip()
    return result

"""Commands that need no database: their files and options, and their answers in words, JSON and tables."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser, OutputWrapper

from annotate.formats import qrels
from annotate.formats.faults import FileRefused, Refused
from annotate.formats.records import GradeScale
from evaluation.agreement import value
from evaluation.agreement.value import Floats, undefined
from evaluation.engine import grade_files
from evaluation.engine.grade_files import GradedFile
from evaluation.measures import registry
from evaluation.measures.definition import CannotMeasure
from evaluation.statistics import bootstrap, system_pairs
from evaluation.statistics.anova import Analysis, Unbalanced
from evaluation.statistics.bootstrap import Interval, Over, Resampling
from evaluation.studies.design import PlanRefused, Report
from evaluation.tables import table

BAD_INPUT = 2
SIDES = ("first", "second")
# The options that name files of grades.
GRADE_FILES = ("qrels", "filled", "people", "model", "reference")

T = TypeVar("T")


# How often `--qrels` is given, at the least and at the most.
TIMES = {"twice": (2, 2), "once or twice": (1, 2), "twice or more": (2, sys.maxsize)}


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
    parser.add_argument(
        "--run",
        required=True,
        action="append",
        dest="run_files",
        metavar="FILE",
        help="a run, plain or .gz; again for more",
    )


def add_qrels(parser: CommandParser, times: str, *, required: bool = True) -> None:
    """Adds `--qrels`, for `read_qrels` with the same `times` of TIMES."""
    parser.add_argument(
        "--qrels",
        required=required,
        default=None if required else [],
        action="append",
        metavar="FILE",
        help=f"qrels, plain or .gz; given {times}, the reference (rows of tables) first",
    )


def read_qrels(files: list[str], times: str, scale: GradeScale) -> list[GradedFile]:
    """The files of `--qrels`. Raises CommandError for another number of them."""
    least, most = TIMES[times]
    if not least <= len(files) <= most:
        raise CommandError(f"--qrels is given {times}, not {len(files)} times", returncode=BAD_INPUT)
    return [grade_files.read_grades(file, scale) for file in files]


def add_measure(parser: CommandParser, what: str) -> None:
    """Adds `--measure`, which is `what` of the systems."""
    parser.add_argument(
        "--measure", type=argument(registry.parse), default="nDCG@10", help=f"{what} (default: %(default)s)"
    )


def add_variants(parser: CommandParser, *, required: bool = False) -> None:
    parser.add_argument(
        "--variants",
        required=required,
        dest="variants_file",
        metavar="FILE",
        help="what the topics of the runs are variants of: lines of variant, topic of the qrels, profile and "
        "number with tabs between them, or JSON lines with variant_id, query_id, profile and number",
    )


def add_scale(parser: CommandParser) -> None:
    parser.add_argument(
        "--scale",
        type=argument(GradeScale.parse),
        metavar="LOW-HIGH",
        help="scale of the grades; if not said 0-3, or up to the highest grade in the files. What is off it is left "
        "out, counted, and named on standard error",
    )


def with_scale(options: dict[str, Any], stderr: OutputWrapper) -> dict[str, Any]:
    """The options with the scale of the grades: the one that was asked for, else one that leaves no grade of the files
    out. What is off it is said. Raises FileRefused, and Refused where grades go higher than a scale can."""
    named = [options.get(name) for name in GRADE_FILES]
    files = [file for each in named for file in ([each] if isinstance(each, str) else each or []) if file]
    counts = {file: Counter(record.grade for record in qrels.read_qrels(file)) for file in files}
    highest = max([GradeScale().high, *(grade for each in counts.values() for grade in each)])
    scale = options["scale"] or GradeScale(0, highest)
    for file, each in counts.items():
        off = {grade: times for grade, times in sorted(each.items()) if grade >= 0 and grade not in scale}
        if off:
            what = ", ".join(f"grade {grade}: {times:,}" for grade, times in off.items())
            stderr.write(f"{file}: left out, since they are off the scale {scale}: {what}")
    return {**options, "scale": scale}


def add_alpha(parser: CommandParser) -> None:
    parser.add_argument(
        "--alpha",
        type=argument(share),
        default=system_pairs.LEVEL,
        metavar="SHARE",
        help="the error level of the tests (default: %(default)s)",
    )


def add_seed(parser: CommandParser, of: str) -> None:
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


class FileCommand(BaseCommand):
    """A command that answers from files alone: `compute` has the answer, in words or as JSON."""

    requires_system_checks = []

    def handle(self, **options: Any) -> None:
        with refusing_bad_input():
            answer = self.compute(**(with_scale(options, self.stderr) if "scale" in options else options))
        self.stdout.write(answer if isinstance(answer, str) else answer_json(answer))

    def compute(self, *args: Any, **options: Any) -> str | Mapping[str, object]:
        raise NotImplementedError


def answer_json(answer: Mapping[str, object]) -> str:
    return json.dumps(answer, indent=2, allow_nan=False)


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


def asked_resampling(options: Mapping[str, Any]) -> Resampling | None:
    """By the options of `add_intervals`: what is drawn anew, and how; None where no intervals are asked for."""
    return Resampling(options["over"], level=options["level"], seed=options["seed"]) if options["over"] else None


def asked_plan(options: Mapping[str, Any]) -> dict[str, Any]:
    """By the options of `add_measure`, `add_alpha` and `add_resampling`: what all plans have that resample topics."""
    drawn = {"coverage": options["level"], "resamples": options["resamples"], "seed": options["seed"]}
    return {"measure": str(options["measure"]), "level": options["alpha"], **drawn}


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


CORRECTIONS = {"tukey": "Tukey's honestly significant difference", "t": "Holm", "randomisation": "Holm"}
FLIPS = 100_000

TestedPairs = Sequence[system_pairs.SystemPair]


def run_test(name: str, scores: Floats, systems: Sequence[str], level: float, seed: int) -> TestedPairs:
    """All pairs of the systems, by scores (systems, topics). The seed is that of the randomisation test."""
    match name:
        case "tukey":
            return system_pairs.by_tukey(scores, systems, level)
        case "t":
            return system_pairs.by_t_test(scores, systems, level)
    return system_pairs.by_randomisation(scores, systems, level, flips=FLIPS, seed=seed)


def test_json(name: str, level: float, seed: int) -> dict[str, object]:
    """What was tested, and from which chance."""
    drawn = {"flips": FLIPS, "seed": seed} if name == "randomisation" else {}
    return {"test": name, "correction": CORRECTIONS[name], "level": level, **drawn}


def tested_pairs_json(tested: Sequence[TestedPairs], topics: int) -> dict[str, object]:
    """The pairs under one qrels or two, how many are significant, and with two what became of them.

    Without a topic, and with fewer than two systems, all of it is undefined.
    """
    if reason := _why_no_tests(len(tested[0]), topics):
        names = ("pairs", "significant", "changes")[: len(tested) + 1]
        return value.as_json(dict.fromkeys(names, undefined(reason)))
    significant = [sum(pair.is_significant for pair in pairs) for pairs in tested]
    return {
        "pairs": [_pair(*sides) for sides in zip(*tested, strict=True)],
        "significant": dict(zip(SIDES, significant, strict=False)),
        **({"changes": _changes(*tested)} if len(tested) == 2 else {}),
    }


def _why_no_tests(pairs: int, topics: int) -> str:
    if not topics:
        return "there is no topic that all qrels have"
    return "" if pairs else "fewer than two systems"


def _pair(one: system_pairs.SystemPair, other: system_pairs.SystemPair | None = None) -> dict[str, object]:
    json: dict[str, object] = {
        "first": one.first,
        "second": one.second,
        "difference": one.difference,
        "is_significant": one.is_significant,
    }
    if other is None:
        return json | value.as_json({"p": one.p})
    json |= {"other_difference": other.difference, "other_is_significant": other.is_significant}
    return json | {"class": system_pairs.class_of_pair(one, other), **value.as_json({"p": one.p, "other_p": other.p})}


def _changes(reference: TestedPairs, other: TestedPairs) -> dict[str, object]:
    result = system_pairs.compare_pairs(reference, other)
    return {
        "counts": {name: len(pairs) for name, pairs in result.pairs.items()},
        "shares": value.as_json({name: result.share(name) for name in system_pairs.CLASSES}),
        "lost": result.lost,
        "found": result.found,
    }


_COLUMNS = ("effect", "sum of squares", "df", "mean square", "F", "p", "partial omega squared")


def variance_text(result: Analysis, caption: str) -> str:
    """The effects and what is left over as a table; below it, why what is undefined in it is so."""
    rows = [
        (effect.name, effect.sum_of_squares, effect.df, *(each.value for each in effect.values.values()))
        for effect in result.effects
    ]
    rows.append(
        ("left over", result.residual_sum_of_squares, result.residual_df, result.residual_mean_square.value, "", "", "")
    )
    reasons = [f"- {effect.name}: {effect.f.reason}\n" for effect in result.effects if not effect.f.is_defined]
    return table.write_plain(table.Table(caption, _COLUMNS, tuple(rows))) + "".join(reasons)


def study_json(result: Mapping[str, object], scale: GradeScale, graded: Iterable[GradedFile]) -> dict[str, object]:
    """The result of a study from files, with what was left out of them."""
    return {
        "scale": str(scale),
        "grades_left_out": [{"file": each.file, **each.left_out()} for each in graded],
        **result,
    }


def report_text(report: Report) -> str:
    """Findings and warnings, the facts of all numbers, then the tables."""
    sentences = [*report.findings, *(f"Warning: {warning}" for warning in report.warnings)]
    facts = [f"{name}: {words}" for name, words in report.facts]
    return "\n".join([*sentences, "", *facts, "", *map(table.write_plain, report.tables.values())])

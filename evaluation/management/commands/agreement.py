"""`manage.py agreement`: how far two raters or more agree, from files."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.formats.records import GradeScale, Qrels
from evaluation.agreement import pairing, value
from evaluation.engine import grade_files, rater_agreement
from evaluation.engine.grade_files import GradedFile
from evaluation.management import stateless
from evaluation.statistics import agreement_intervals
from evaluation.statistics.bootstrap import Over, Resampling


class Command(BaseCommand):
    help = (
        "Agreement of two raters on the pairs that both graded; of more than two, Krippendorff's alpha of all of them, "
        "where grades may be missing. JSON on stdout. Needs no database. "
        "Example: manage.py agreement --qrels people.txt --qrels model.qrels.gz --intervals topics"
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        stateless.add_qrels(parser, "twice or more")
        stateless.add_intervals(parser, ("topics", "pairs"))
        stateless.add_scale(parser)

    def handle(
        self, *, qrels: list[str], over: Over | None, level: float, seed: int, scale: GradeScale, **_: Any
    ) -> None:
        how = stateless.asked_resampling(over, level, seed)
        with stateless.refusing_bad_input():
            graded = [grade_files.read_grades(file, scale) for file in stateless.two_or_more(qrels)]
        result = _of_two(graded, scale, how) if len(graded) == 2 else _of_more(graded, scale, how)
        stateless.answer(self, {"files": qrels, "scale": str(scale), **result})


def _of_two(graded: list[GradedFile], scale: GradeScale, how: Resampling | None) -> dict[str, object]:
    first, second = (each.qrels for each in graded)
    return {
        "left_out": stateless.left_out(graded),
        **rater_agreement.as_json(rater_agreement.compare(first, second, scale)),
        **({"intervals": _intervals(first, second, scale, how)} if how else {}),
    }


def _of_more(graded: list[GradedFile], scale: GradeScale, how: Resampling | None) -> dict[str, object]:
    """Of `left_out` there is one of each file, in their order."""
    given = [pairing.grades_by_pair(each.qrels) for each in graded]
    result = agreement_intervals.compare_raters(given, scale.grades)
    answer: dict[str, object] = {
        "left_out": [each.left_out() for each in graded],
        "raters": result.raters,
        "n": result.n,
        "alone": result.alone,
        "complete": result.complete,
        "alpha": value.as_json(result.alpha),
    }
    if how:
        answer["intervals"] = stateless.interval_json(
            {"alpha": agreement_intervals.alpha_intervals(given, scale.grades, how)}
        )
    return answer


def _intervals(first: Qrels, second: Qrels, scale: GradeScale, how: Resampling) -> dict[str, object]:
    result = agreement_intervals.intervals_of_two(
        pairing.grades_by_pair(first), pairing.grades_by_pair(second), scale.grades, scale.relevant_from, how
    )
    return stateless.interval_json(vars(result))

"""`manage.py agreement`: how far two raters agree, from files."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.trec.records import Qrels
from annotate.trec.scale import GradeScale
from evaluation import graded_file, rater_agreement
from evaluation.agreement import pairing
from evaluation.management import intervals, stateless
from evaluation.statistics import agreement_intervals
from evaluation.statistics.bootstrap import Over, Resampling


class Command(BaseCommand):
    help = (
        "Agreement of two raters on the pairs that both graded; JSON on stdout. Needs no database. "
        "Example: manage.py agreement --qrels people.txt --qrels model.qrels.gz --intervals topics"
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        stateless.add_qrels(parser, "twice")
        intervals.add(parser, ("topics", "pairs"))
        stateless.add_scale(parser)

    def handle(
        self, *, qrels: list[str], over: Over | None, level: float, seed: int, scale: GradeScale, **_: Any
    ) -> None:
        how = intervals.asked(over, level, seed)
        with stateless.refusing_bad_input():
            graded = [graded_file.read(file, scale) for file in stateless.two(qrels)]
        first, second = (each.qrels for each in graded)
        stateless.answer(
            self,
            {
                "files": qrels,
                "scale": str(scale),
                "left_out": stateless.left_out(graded),
                **rater_agreement.as_json(rater_agreement.compare(first, second, scale)),
                **({"intervals": _intervals(first, second, scale, how)} if how else {}),
            },
        )


def _intervals(first: Qrels, second: Qrels, scale: GradeScale, how: Resampling) -> dict[str, object]:
    found = agreement_intervals.of_two(
        pairing.grades_by_pair(first),
        pairing.grades_by_pair(second),
        scale.grades,
        rater_agreement.relevant_from(scale),
        how,
    )
    return intervals.as_json(vars(found))

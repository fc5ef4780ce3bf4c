"""`manage.py correlate`: whether two qrels rank systems alike, from files."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.trec import runs
from annotate.trec.scale import GradeScale
from evaluation import graded_file, ranking_shift
from evaluation.agreement import value
from evaluation.management import stateless
from evaluation.measures import registry
from evaluation.measures.measure import Measure
from evaluation.ranking_shift import RankingShift


class Command(BaseCommand):
    help = (
        "Rank correlation of systems under two qrels, on the topics that both have; JSON on stdout. "
        "Needs no database. Example: "
        "manage.py correlate --qrels people.txt --qrels model.txt --run a.run --run b.run --measure nDCG@10"
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        stateless.add_two_qrels(parser)
        stateless.add_runs(parser)
        parser.add_argument(
            "--measure",
            type=stateless.argument(registry.parse),
            default="nDCG@10",
            help="the measure whose mean ranks the systems (default: %(default)s)",
        )
        stateless.add_scale(parser)

    def handle(self, *, qrels: list[str], run_files: list[str], measure: Measure, scale: GradeScale, **_: Any) -> None:
        with stateless.refusing_bad_input():
            first, second = (graded_file.read(file, scale) for file in stateless.two(qrels))
            systems = list(runs.read_all(run_files, depth=measure.depth))
            shift = ranking_shift.compare(systems, first.qrels, second.qrels, measure, highest=scale.high)
        left_out = {"first": first.left_out(), "second": second.left_out()}
        only_in = {
            "first": sorted(first.qrels.keys() - second.qrels.keys()),
            "second": sorted(second.qrels.keys() - first.qrels.keys()),
        }
        stateless.answer(
            self,
            {
                "files": qrels,
                "measure": str(measure),
                "scale": str(scale),
                "left_out": left_out,
                "systems": len(systems),
                **_figures(shift),
                "topics_only_in": only_in,
            },
        )


def _figures(shift: RankingShift) -> dict[str, object]:
    correlations = {
        "tau_a": shift.tau_a,
        "tau_b": shift.tau_b,
        "tau_ap": shift.tau_ap,
        "gamma": shift.gamma,
    }
    return {
        "topics": len(shift.topics),
        **value.as_json(correlations),
        "tied_pairs": {"first": shift.tied_reference, "second": shift.tied_other},
        "runs": [asdict(system) for system in shift.systems],
        "topic_ids": list(shift.topics),
    }

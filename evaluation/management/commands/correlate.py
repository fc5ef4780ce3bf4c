"""`manage.py correlate`: whether two qrels rank systems alike, from files."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser

from annotate.formats import runs
from annotate.formats.records import GradeScale
from evaluation.agreement import value
from evaluation.engine import ranking_shift
from evaluation.management import stateless
from evaluation.measures.registry import Measure


class Command(stateless.FileCommand):
    help = (
        "Rank correlation of systems under two qrels, on the topics that both have; JSON on stdout. "
        "Needs no database. Example: "
        "manage.py correlate --qrels people.txt --qrels model.txt --run a.run --run b.run --measure nDCG@10"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        stateless.add_qrels(parser, "twice")
        stateless.add_runs(parser)
        stateless.add_measure(parser, "the measure whose mean ranks the systems")
        stateless.add_intervals(parser)
        stateless.add_scale(parser)

    def compute(
        self, *, qrels: list[str], run_files: list[str], measure: Measure, scale: GradeScale, **options: Any
    ) -> dict[str, object]:
        how = stateless.asked_resampling(options)
        graded = stateless.read_qrels(qrels, "twice", scale)
        systems = list(runs.read_runs(run_files, depth=measure.depth))
        compared = (systems, graded[0].qrels, graded[1].qrels, measure)
        shift = ranking_shift.compare(*compared, highest=scale.high)
        result = how and ranking_shift.intervals(*compared, topics=shift.topics, highest=scale.high, how=how)
        return {
            "files": qrels,
            "measure": str(measure),
            "scale": str(scale),
            "left_out": stateless.left_out(graded),
            "systems": len(systems),
            **_figures(shift),
            **({"intervals": stateless.interval_json(result)} if result else {}),
            "topics_only_in": stateless.topics_only_in(graded, shift.topics),
        }


def _figures(shift: ranking_shift.RankingShift) -> dict[str, object]:
    moved = ("run_tag", "reference_place", "other_place", "places_up")
    return {
        "topics": len(shift.topics),
        **value.as_json({name: getattr(shift, name) for name in ("tau_a", "tau_b", "tau_ap", "gamma", "spearman")}),
        "tied_pairs": {"first": shift.tied_reference, "second": shift.tied_other},
        "moved": [{name: getattr(system, name) for name in moved} for system in shift.moved],
        "runs": [asdict(system) for system in shift.systems],
        "topic_ids": list(shift.topics),
    }

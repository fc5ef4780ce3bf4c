"""`manage.py correlate`: whether two qrels rank systems alike, from files."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.formats import runs
from annotate.formats.records import GradeScale
from evaluation.agreement import value
from evaluation.engine import grade_files, ranking_shift
from evaluation.engine.ranking_shift import RankingShift, SystemShift
from evaluation.management import stateless
from evaluation.measures.registry import Measure
from evaluation.statistics.bootstrap import Over


class Command(BaseCommand):
    help = (
        "Rank correlation of systems under two qrels, on the topics that both have; JSON on stdout. "
        "Needs no database. Example: "
        "manage.py correlate --qrels people.txt --qrels model.txt --run a.run --run b.run --measure nDCG@10"
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        stateless.add_qrels(parser, "twice")
        stateless.add_runs(parser)
        stateless.add_measure(parser, "the measure whose mean ranks the systems")
        stateless.add_intervals(parser)
        stateless.add_scale(parser)

    def handle(
        self,
        *,
        qrels: list[str],
        run_files: list[str],
        measure: Measure,
        over: Over | None,
        level: float,
        seed: int,
        scale: GradeScale,
        **_: Any,
    ) -> None:
        how = stateless.asked_resampling(over, level, seed)
        with stateless.refusing_bad_input():
            graded = [grade_files.read_grades(file, scale) for file in stateless.two(qrels)]
            systems = list(runs.read_runs(run_files, depth=measure.depth))
            compared = (systems, graded[0].qrels, graded[1].qrels, measure)
            shift = ranking_shift.compare(*compared, highest=scale.high)
        result = how and ranking_shift.intervals(*compared, topics=shift.topics, highest=scale.high, how=how)
        stateless.answer(
            self,
            {
                "files": qrels,
                "measure": str(measure),
                "scale": str(scale),
                "left_out": stateless.left_out(graded),
                "systems": len(systems),
                **_figures(shift),
                **({"intervals": stateless.interval_json(result)} if result else {}),
                "topics_only_in": stateless.topics_only_in(graded, shift.topics),
            },
        )


def _figures(shift: RankingShift) -> dict[str, object]:
    correlations = {
        "tau_a": shift.tau_a,
        "tau_b": shift.tau_b,
        "tau_ap": shift.tau_ap,
        "gamma": shift.gamma,
        "spearman": shift.spearman,
    }
    return {
        "topics": len(shift.topics),
        **value.as_json(correlations),
        "tied_pairs": {"first": shift.tied_reference, "second": shift.tied_other},
        "moved": [_moved(system) for system in shift.moved],
        "runs": [asdict(system) for system in shift.systems],
        "topic_ids": list(shift.topics),
    }


def _moved(system: SystemShift) -> dict[str, object]:
    return {
        "run_tag": system.run_tag,
        "reference_place": system.reference_place,
        "other_place": system.other_place,
        "places_up": system.places_up,
    }

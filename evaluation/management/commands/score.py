"""`manage.py score`: measures of runs against qrels, from files."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.trec import runs
from annotate.trec.runs import Run
from annotate.trec.scale import GradeScale
from evaluation import graded_file, scoring
from evaluation.agreement import value
from evaluation.graded_file import GradedFile
from evaluation.management import stateless
from evaluation.measures import registry
from evaluation.measures.measure import Measure
from evaluation.scoring import MeasureScores


class Command(BaseCommand):
    help = (
        "Score runs against qrels; JSON on stdout. Needs no database. "
        'Example: manage.py score --qrels qrels.txt --run a.run.gz --run b.run --measures "nDCG@10,AP(rel=2)"'
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--qrels", required=True, metavar="FILE", help="qrels, plain or .gz")
        stateless.add_runs(parser)
        parser.add_argument(
            "--measures",
            type=stateless.argument(registry.parse_list),
            default="nDCG@10,Judged@10",
            help="measures with commas between them (default: %(default)s); there are "
            + ", ".join(registry.definitions()),
        )
        parser.add_argument("--per-topic", action="store_true", help="give the value of each topic as well")
        stateless.add_scale(parser)

    def handle(
        self,
        *,
        qrels: str,
        run_files: list[str],
        measures: list[Measure],
        per_topic: bool,
        scale: GradeScale,
        **_: Any,
    ) -> None:
        with stateless.refusing_bad_input():
            graded = graded_file.read(qrels, scale)
            found = runs.read_all(run_files, depth=scoring.needed_depth(measures))
            scored = [
                _run(file, run, graded, measures, scale, per_topic) for file, run in zip(run_files, found, strict=True)
            ]
        stateless.answer(
            self,
            {
                "qrels": {"file": qrels, "topics": len(graded.qrels), "left_out": graded.left_out()},
                "runs": scored,
            },
        )


def _run(
    file: str, run: Run, graded: GradedFile, measures: list[Measure], scale: GradeScale, per_topic: bool
) -> dict[str, object]:
    scores = scoring.score_run(run, graded.qrels, measures, highest=scale.high)
    return {
        "run": scores.run_tag,
        "file": file,
        "measures": {str(measure): _measure(found, per_topic) for measure, found in scores.measures.items()},
        "missing_topics": scores.missing_topics,
        "ignored_topics": scores.ignored_topics,
    }


def _measure(scores: MeasureScores, per_topic: bool) -> dict[str, object]:
    return {
        **value.as_json({"mean": scores.mean, "mean_with_relevant": scores.mean_with_relevant}),
        "topics": scores.topics,
        "topics_without_relevant": scores.topics_without_relevant,
        **({"by_topic": dict(scores.by_topic)} if per_topic else {}),
    }

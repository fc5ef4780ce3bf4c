"""`manage.py score`: measures of runs against qrels, from files."""

from dataclasses import dataclass
from typing import Any

from django.core.management.base import CommandParser

from annotate.formats import runs
from annotate.formats.records import GradeScale
from annotate.formats.runs import Run
from evaluation.agreement import value
from evaluation.engine import grade_files, scoring
from evaluation.engine.grade_files import GradedFile, ProbabilitiesFile
from evaluation.management import stateless
from evaluation.measures import registry, unjudged
from evaluation.statistics import system_pairs
from evaluation.statistics.bootstrap import Resampling


@dataclass(frozen=True)
class _Asked:
    measures: list[registry.Measure]
    scale: GradeScale
    per_topic: bool
    ranges: bool
    how: Resampling | None


class Command(stateless.FileCommand):
    help = (
        "Score runs against qrels; JSON on stdout. Needs no database. "
        'Example: manage.py score --qrels qrels.txt --run a.run.gz --run b.run --measures "nDCG@10,AP(rel=2)" '
        "--intervals"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--qrels", required=True, metavar="FILE", help="qrels, plain or .gz")
        stateless.add_runs(parser)
        parser.add_argument(
            "--measures",
            type=stateless.argument(registry.parse_list),
            default="nDCG@10,Judged@10",
            help="measures with commas between them (default: %(default)s); there are "
            + ", ".join(registry.definitions())
            + "; beside each stands Judged at its cut-off, at 10 where it has none",
        )
        parser.add_argument("--per-topic", action="store_true", help="give the value of each topic as well")
        parser.add_argument(
            "--ranges",
            action="store_true",
            help="give the means with all holes at the lowest and at the highest grade as well: bounds, or for "
            "measures such as nDCG, whose ideal moves too, a sensitivity range, which is no bound",
        )
        parser.add_argument(
            "--chances",
            metavar="FILE",
            help="how likely a model thinks each grade of a pair to be: JSON lines with query_id, passage_id, grade "
            "(it may be null) and probabilities, or CSV with the columns query_id, passage_id and the grades, such as "
            "0,1,2,3. They fill holes with expected gains, never the gain of an expected grade",
        )
        stateless.add_intervals(parser)
        stateless.add_scale(parser)

    def compute(
        self, *, qrels: str, chances: str | None, run_files: list[str], scale: GradeScale, **options: Any
    ) -> dict[str, object]:
        measures, how = options["measures"], stateless.asked_resampling(options)
        asked = _Asked(measures, scale, options["per_topic"], options["ranges"], how)
        graded = grade_files.read_grades(qrels, scale)
        likely = grade_files.read_probabilities(chances, scale) if chances else None
        result = runs.read_runs(run_files, depth=scoring.needed_depth(measures))
        return {
            "qrels": {"file": qrels, "topics": len(graded.qrels), "left_out": graded.left_out()},
            **({"chances": {"file": chances, **likely.counts(graded.qrels)}} if likely else {}),
            "runs": [_run(file, run, graded, likely, asked) for file, run in zip(run_files, result, strict=True)],
        }


def _run(file: str, run: Run, graded: GradedFile, likely: ProbabilitiesFile | None, asked: _Asked) -> dict[str, object]:
    scores = scoring.score_run(
        run,
        graded.qrels,
        asked.measures,
        highest=asked.scale.high,
        probabilities=likely.probabilities if likely else None,
        with_ranges=asked.ranges,
    )
    return {
        "run": scores.run_tag,
        "file": file,
        "measures": {str(measure): _measure(result, asked) for measure, result in scores.measures.items()},
        "missing_topics": scores.missing_topics,
        "ignored_topics": scores.ignored_topics,
    }


def _measure(scores: scoring.MeasureScores, asked: _Asked) -> dict[str, object]:
    values = {"mean": scores.mean, "mean_with_relevant": scores.mean_with_relevant, "judged": scores.judged}
    if asked.ranges and scores.range is None:
        values["range"] = value.undefined(unjudged.NO_RANGE)
    return {
        **value.as_json(values),
        "topics": scores.topics,
        "topics_without_relevant": scores.topics_without_relevant,
        "judged_cutoff": scores.judged_cutoff,
        "short_topics": scores.short_topics,
        **({"note": scores.short_words} if scores.short_words else {}),
        **({"interval": _interval(scores, asked.how)} if asked.how else {}),
        **({"range": _range(scores.range, asked.per_topic)} if scores.range else {}),
        **({"by_topic": dict(scores.by_topic)} if asked.per_topic else {}),
    }


def _interval(scores: scoring.MeasureScores, how: Resampling) -> dict[str, object]:
    """Of the mean; with one seed all runs and measures are resampled with the same topics."""
    (result,) = system_pairs.mean_intervals([list(scores.by_topic.values())], ["run"], how)
    return stateless.interval_json(result)


def _range(result: scoring.RangeScores, per_topic: bool) -> dict[str, object]:
    ends = ("at_lowest", "at_highest")
    by_topic = {query_id: dict(zip(ends, values, strict=True)) for query_id, values in result.by_topic.items()}
    return {
        "name": result.name,
        **value.as_json({"at_lowest": result.mean_at_lowest, "at_highest": result.mean_at_highest}),
        **({"by_topic": by_topic} if per_topic else {}),
    }

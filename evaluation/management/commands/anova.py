"""`manage.py anova`: how much of the scores systems, topics and profiles explain, from files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.formats import runs, texts
from annotate.formats.faults import Refused
from annotate.formats.records import GradeScale
from evaluation.engine import grade_files, scoring
from evaluation.engine.grade_files import GradedFile
from evaluation.management import stateless
from evaluation.measures.registry import Measure
from evaluation.statistics import anova
from evaluation.statistics.anova import Analysis, Variants


@dataclass(frozen=True)
class _Design:
    """What was analysed, and what came out; `levels` are those of the factors beside the systems."""

    scores: scoring.SystemScores
    levels: Mapping[str, object]
    analysis: Analysis


class Command(stateless.FileCommand):
    help = (
        "Analysis of variance with partial omega squared: of systems and topics, or with --variants of topics, "
        "systems, profiles and each two of them together. Runs with one tag are one system. Needs no database. "
        "Example: manage.py anova --qrels people.txt --run a.run --run b.run --variants variants.tsv --json"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--qrels", required=True, metavar="FILE", help="qrels, plain or .gz")
        stateless.add_runs(parser)
        stateless.add_measure(parser, "the measure whose values are analysed")
        stateless.add_variants(parser)
        parser.add_argument(
            "--variants-as",
            choices=("averaged", "replicates"),
            help="the variants of a profile are averaged first (if not said), or are replicates, of which each topic "
            "and profile needs equally many",
        )
        stateless.add_scale(parser)
        parser.add_argument("--json", action="store_true", help="answer in JSON instead of a table")

    def compute(
        self, *, qrels: str, run_files: list[str], measure: Measure, scale: GradeScale, json: bool, **options: Any
    ) -> str | dict[str, object]:
        variants_file, variants_as = options["variants_file"], options["variants_as"]
        if variants_as and not variants_file:
            raise CommandError("--variants-as needs --variants", returncode=stateless.BAD_INPUT)
        graded = grade_files.read_grades(qrels, scale)
        systems = list(runs.read_runs(run_files, depth=measure.depth))
        asked = (systems, graded, measure, scale.high)
        design = _by_profile(*asked, variants_file, variants_as or "averaged") if variants_file else _by_topic(*asked)
        if not json:
            return _text(design, measure)
        return {
            "qrels": {"file": qrels, "topics": len(graded.qrels), "left_out": graded.left_out()},
            "measure": str(measure),
            "scale": str(scale),
            "systems": len(design.scores.systems),
            **design.levels,
            **design.analysis.as_json(),
            "missing": design.scores.missing(),
        }


def _by_topic(systems: Sequence[runs.Run], graded: GradedFile, measure: Measure, highest: int) -> _Design:
    if not graded.qrels:
        raise Refused(f"{graded.file}: there is no topic")
    scores = scoring.score_topics(systems, graded.qrels, measure, topics=graded.qrels, highest=highest)
    return _Design(scores, {"topics": len(scores.topics)}, anova.two_way(scores.values))


def _by_profile(
    systems: Sequence[runs.Run], graded: GradedFile, measure: Measure, highest: int, file: str, variants_as: Variants
) -> _Design:
    """Of the variants whose topics are in the qrels."""
    listed = list(texts.read_variants(file))
    judged = [variant for variant in listed if variant.query_id in graded.qrels]
    if not judged:
        raise Refused(f"{file}: no variant is of a topic in {graded.file}")
    scores = scoring.score_variants(systems, graded.qrels, judged, measure, highest=highest)
    levels = {
        "topics": len({variant.query_id for variant in judged}),
        "profiles": len({variant.profile for variant in judged}),
        "variants": len(judged),
        "variants_as": variants_as,
        "variants_left_out": len(listed) - len(judged),
    }
    return _Design(scores, levels, anova.three_way(scoring.by_cell(scores, judged), variants_as))


def _text(design: _Design, measure: Measure) -> str:
    levels = {"systems": len(design.scores.systems), **design.levels}
    caption = f"{measure}; " + ", ".join(f"{name.replace('_', ' ')}: {level}" for name, level in levels.items())
    missing = [
        f"- {system} retrieved nothing for {', '.join(topics)}: these count too\n"
        for system, topics in design.scores.missing().items()
    ]
    return stateless.variance_text(design.analysis, caption) + "".join(missing)

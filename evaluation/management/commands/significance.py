"""`manage.py significance`: which pairs of systems differ, and whether they still do under other qrels."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.formats import runs
from annotate.formats.records import GradeScale
from evaluation.engine import scoring
from evaluation.management import stateless
from evaluation.measures.registry import Measure
from evaluation.statistics import system_pairs


class Command(stateless.FileCommand):
    help = (
        "Which pairs of systems differ significantly; JSON on stdout. With a second qrels, on the topics that both "
        "have, also what becomes of the pairs: significant under both (AA with the same system ahead, AD with the "
        "other one), under one (MA, MD), under none (PA, PD). Needs no database. Example: "
        "manage.py significance --qrels people.txt --qrels model.txt --run a.run --run b.run --run c.run --test t"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        stateless.add_qrels(parser, "once or twice")
        stateless.add_runs(parser)
        stateless.add_measure(parser, "the measure whose values by topic are tested")
        parser.add_argument(
            "--test",
            choices=list(stateless.CORRECTIONS),
            default="tukey",
            help="Tukey's honestly significant difference after a two-way analysis of variance; paired t-tests or "
            "paired randomisation tests with Holm's correction (default: %(default)s)",
        )
        parser.add_argument(
            "--level",
            type=stateless.argument(stateless.share),
            default=system_pairs.LEVEL,
            metavar="P",
            help="a pair is significant if its corrected p is below (default: %(default)s)",
        )
        stateless.add_seed(parser, "randomisation test")
        stateless.add_scale(parser)

    def compute(
        self, *, qrels: list[str], run_files: list[str], measure: Measure, scale: GradeScale, **options: Any
    ) -> dict[str, object]:
        test, level, seed = options["test"], options["level"], options["seed"]
        graded = stateless.read_qrels(qrels, "once or twice", scale)
        systems = _named_apart(runs.read_runs(run_files, depth=measure.depth))
        several = [each.qrels for each in graded]
        topics = sorted(set(several[0]).intersection(*several))
        index, vectors = scoring.index_sweep(systems, several, measure, topics=topics, highest=scale.high)
        scores = list(scoring.sweep_values(index, vectors, measure, highest=scale.high))
        tested = [stateless.run_test(test, matrix, index.run_tags, level, seed) for matrix in scores]
        return {
            "files": qrels,
            "measure": str(measure),
            "scale": str(scale),
            "left_out": stateless.left_out(graded),
            **stateless.test_json(test, level, seed),
            "systems": len(systems),
            "topics": len(topics),
            **stateless.tested_pairs_json(tested, len(topics)),
            "topic_ids": topics,
            "topics_only_in": stateless.topics_only_in(graded, topics),
        }


def _named_apart(result: Iterable[runs.Run]) -> list[runs.Run]:
    """The runs; raises CommandError if two have one tag."""
    systems = list(result)
    for tag, times in Counter(run.tag for run in systems).items():
        if times > 1:
            sentence = f"{times} runs have the tag {tag!r}: their pairs could not be told apart"
            raise CommandError(sentence, returncode=stateless.BAD_INPUT)
    return systems

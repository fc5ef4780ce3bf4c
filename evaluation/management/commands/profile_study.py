"""`manage.py profile_study`: what query variants of user profiles do to systems, from files."""

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from annotate.formats import runs, texts
from annotate.formats.records import GradeScale
from annotate.llm import prompts
from evaluation.engine import grade_files
from evaluation.management import stateless
from evaluation.studies.design import run_all
from evaluation.studies.kinds.profiles import parts
from evaluation.studies.kinds.profiles.plan import Inputs, Plan
from evaluation.studies.kinds.profiles.report import make_report


class Command(stateless.FileCommand):
    help = (
        "Systems on query variants of user profiles: means with intervals, holes, rankings, analysis of variance, "
        "pairs of systems, and the seed's queries. Needs no database. Example: manage.py profile_study --qrels "
        "people.txt --filled completed.txt --run a.run --run b.run --variants variants.tsv --seed-run seed.run --json"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--qrels", required=True, metavar="FILE", help="qrels, plain or .gz")
        parser.add_argument("--filled", default="", metavar="FILE", help="the qrels after holes were filled")
        parser.add_argument(
            "--chances",
            default="",
            metavar="FILE",
            help="predictions with the probabilities of the grades, JSON lines or CSV: they fill what --filled, or "
            "else --qrels, leaves open, and count with expected gains",
        )
        stateless.add_runs(parser)
        parser.add_argument(
            "--seed-run",
            action="append",
            default=[],
            dest="seed_runs",
            metavar="FILE",
            help="a run of the topics' own queries under the tag of its system; again for more",
        )
        stateless.add_variants(parser, required=True)
        parser.add_argument(
            "--methods",
            metavar="FILE",
            help="how the variants of a profile came about: lines of profile and method with a tab between them; "
            "Lacuna's own profiles are known",
        )
        parser.add_argument("--variants-as", choices=("averaged", "replicates"), default="averaged")
        stateless.add_measure(parser, "the measure by which systems are scored")
        stateless.add_scale(parser)
        stateless.add_alpha(parser)
        stateless.add_resampling(parser)
        parser.add_argument("--json", action="store_true", help="answer in JSON instead of tables")

    def compute(
        self, *, qrels: str, filled: str, scale: GradeScale, json: bool, **options: Any
    ) -> str | dict[str, object]:
        chances, depth = options["chances"], options["measure"].depth
        plan = Plan(
            before=qrels,
            after=",".join(filter(None, (filled, chances))),
            variants_as=options["variants_as"],
            **stateless.asked_plan(options),
        )
        graded = [grade_files.read_grades(file, scale) for file in filter(None, (qrels, filled))]
        likely = grade_files.read_probabilities(chances, scale) if chances else None
        after = graded[-1].qrels
        inputs = Inputs(
            runs=list(runs.read_runs(options["run_files"], depth=depth)),
            variants=list(texts.read_variants(options["variants_file"])),
            before=graded[0].qrels,
            after=after if plan.after else None,
            after_probabilities=likely.filling(after) if likely else {},
            seed_runs=list(runs.read_runs(options["seed_runs"], depth=depth)),
            methods=_methods(options["methods"]),
            highest=scale.high,
        )
        result = run_all(parts, plan, inputs)
        if not json:
            return stateless.report_text(make_report(plan, result))
        likely_json = {"chances": {"file": chances, **likely.counts(after)}} if likely else {}
        return stateless.study_json(likely_json | result, scale, graded)


def _methods(file: str | None) -> Mapping[str, str]:
    """By profile: what the file says, else what is known of Lacuna's own."""
    known = {name: profile.group.lower() for name, profile in prompts.built_in_profiles().items()}
    return known | (stateless.read_tabbed(file, "profile", "method") if file else {})

"""`manage.py source_study`: systems under people's labels and a model's side by side, from files."""

from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.formats import runs
from annotate.formats.records import GradeScale
from annotate.rules import completion
from evaluation.engine import grade_files, run_index
from evaluation.management import stateless
from evaluation.studies.design import run_all
from evaluation.studies.kinds.sources import inputs as sources_inputs
from evaluation.studies.kinds.sources import parts
from evaluation.studies.kinds.sources import plan as plans
from evaluation.studies.kinds.sources.plan import Plan
from evaluation.studies.kinds.sources.report import make_report


class Command(stateless.FileCommand):
    help = (
        "Systems under the labels of people, of people and a model in the holes, of the model alone, and as a "
        "calibrated judge completes them; without each assessor; circularity. Needs no database. Example: manage.py "
        "source_study --people people.txt --model gpt.txt --calibrated predictions.jsonl --run a.run --run b.run --json"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--people", required=True, metavar="FILE", help="qrels of people, plain or .gz")
        parser.add_argument("--model", default="", metavar="FILE", help="qrels of a model")
        parser.add_argument(
            "--calibrated", default="", metavar="FILE", help="predictions with the probabilities of the grades"
        )
        stateless.add_runs(parser)
        parser.add_argument(
            "--assessor",
            action="append",
            default=[],
            dest="assessors",
            metavar="FILE",
            help="qrels of one assessor, named by the file; again for more: what the ranking is without each",
        )
        parser.add_argument(
            "--consensus",
            choices=completion.CONSENSUS_RULES,
            default=completion.MAJORITY,
            help="how assessors' grades become one",
        )
        parser.add_argument("--families", metavar="FILE", help="lines of run tag and its model families, a tab between")
        parser.add_argument("--judge-family", default="", metavar="NAMES", help="of --model, or the name of the model")
        parser.add_argument("--calibrated-family", default="", metavar="NAMES", help="of the model that it rests on")
        stateless.add_measure(parser, "the measure by which systems are scored")
        stateless.add_scale(parser)
        stateless.add_alpha(parser)
        stateless.add_resampling(parser)
        parser.add_argument("--json", action="store_true", help="answer in JSON instead of tables")

    def compute(self, *, scale: GradeScale, json: bool, **options: Any) -> str | dict[str, object]:
        if not (options["model"] or options["calibrated"]):
            raise CommandError("--model or --calibrated is needed, or both", returncode=stateless.BAD_INPUT)
        named = {name: options[name] for name in ("people", "model", "calibrated", "calibrated_family", "consensus")}
        plan = Plan(
            model_family=options["judge_family"],
            with_assessors=bool(options["assessors"]),
            **named,
            **stateless.asked_plan(options),
        )
        files = [grade_files.read_grades(file, scale) for file in filter(None, (plan.people, plan.model))]
        assessors = [grade_files.read_grades(file, scale) for file in options["assessors"]]
        result = run_all(parts, plan, _inputs(plan, files, assessors, scale, options))
        if not json:
            return stateless.report_text(make_report(plan, result))
        return stateless.study_json(result, scale, [*files, *assessors])


def _inputs(
    plan: Plan,
    files: Sequence[grade_files.GradedFile],
    assessors: Sequence[grade_files.GradedFile],
    scale: GradeScale,
    options: dict[str, Any],
) -> sources_inputs.Inputs:
    people, *models = (each.qrels for each in files)
    grades = {plans.PEOPLE: sources_inputs.grades_of_one(people, sources_inputs.OF_PEOPLE)}
    if plan.model:
        grades[plans.BOTH] = sources_inputs.combine_grades(people, models[0])
        grades[plans.MODEL] = sources_inputs.grades_of_one(models[0], sources_inputs.OF_MODEL)
    if plan.calibrated:
        likely = grade_files.read_probabilities(plan.calibrated, scale).probabilities
        grades[plans.CALIBRATED] = sources_inputs.combine_probabilities(people, likely)
    depth, families = options["measure"].depth, options["families"]
    return sources_inputs.Inputs(
        runs=run_index.build(runs.read_runs(options["run_files"], depth=depth), depth),
        grades=grades,
        assessors={each.file: each.qrels for each in assessors},
        families=stateless.read_tabbed(families, "run tag", "model families") if families else {},
        highest=scale.high,
    )

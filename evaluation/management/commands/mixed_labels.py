"""`manage.py mixed_labels`: intervals from people's and a model's labels together, from files or of a collection."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.formats import runs, whole_files
from annotate.formats.records import GradeScale
from annotate.management import command_line
from evaluation.engine import grade_files
from evaluation.management import stateless
from evaluation.studies.design import PlanRefused, run_all
from evaluation.studies.kinds.mixed import freeze, parts, report
from evaluation.studies.kinds.mixed import inputs as mixed_inputs
from evaluation.studies.kinds.mixed.inputs import Files, Inputs
from evaluation.studies.kinds.mixed.plan import Plan
from evaluation.studies.kinds.registry import CannotStudy
from evaluation.tables import table

USUAL = Plan()


class Command(BaseCommand):
    help = (
        "Estimates of systems with 95 %% intervals from a random sample that people judged and a model's grades of all "
        "pairs. Of a collection: the sample that draw_sample recorded. From files, without a database: --sample draws "
        "the design, which is kept and given back as --design with --people. Ends with 1 where intervals are refused."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "mixed_labels --run a.run --run b.run --model gpt.qrels --sample 0.2 --seed 1")
        parser.add_argument("--collection", metavar="SLUG", help="short name of a collection, in place of files")
        parser.add_argument("--draw", type=int, help="number of its sample (default: the one in force, or the last)")
        parser.add_argument("--run", action="append", default=[], dest="run_files", metavar="FILE", help="a run")
        parser.add_argument("--model", metavar="FILE", help="qrels of the model, the same when drawing and after")
        parser.add_argument("--reference", metavar="FILE", help="qrels of pairs that are known and not sampled")
        parser.add_argument("--sample", type=float, metavar="SHARE", help="draw a sample: this share of each topic")
        parser.add_argument("--design", metavar="FILE", help="the design that was drawn (also draw_sample --json)")
        parser.add_argument("--people", metavar="FILE", help="qrels of the sampled pairs, judged without suggestions")
        parser.add_argument("--method", default=USUAL.method, help="frozen or cross-fitted (default: %(default)s)")
        parser.add_argument("--gain", default=USUAL.gain, help="linear, exp or a list (default: %(default)s)")
        parser.add_argument(
            "--unanswered", default=USUAL.unanswered, help="refuse, or bounds for missing grades (default: %(default)s)"
        )
        parser.add_argument(
            "--rounds", type=int, help="count so many pairs of each topic, if that end was fixed before judging"
        )
        parser.add_argument("--folds", type=int, default=USUAL.folds, help="of the method cross-fitted")
        stateless.add_seed(parser, "sample, or the folds")
        parser.set_defaults(seed=USUAL.seed)
        stateless.add_scale(parser)
        command_line.add_json(parser)

    def handle(self, *, collection: str | None, **options: Any) -> None:
        with stateless.refusing_bad_input():
            options = stateless.with_scale(options, self.stderr)
            scale: GradeScale = options["scale"]
            asked = Plan.from_json(
                {name: options[name] for name in ("draw", "method", "gain", "unanswered", "rounds", "folds", "seed")}
            )
            if collection:
                inputs = _freeze_inputs(collection, asked)
            elif options["sample"] is not None:
                files, share, seed = _read_files(options, scale), options["sample"], options["seed"]
                self.stdout.write(stateless.answer_json(mixed_inputs.draw_design(files, share=share, seed=seed)))
                return
            else:
                inputs = _read_inputs(options, scale)
            result = run_all(parts, asked, inputs)
        made = report.make_report(asked, result)
        if options["json"]:
            self.stdout.write(stateless.answer_json(result))
        else:
            self.stdout.write(
                "\n".join([*map(table.write_plain, made.tables.values()), *made.findings, *made.warnings])
            )
        if result["refused"]:
            raise CommandError("Intervals are refused.", returncode=1)


def _freeze_inputs(slug: str, asked: Plan) -> Inputs:
    try:
        return freeze.thaw(freeze.freeze(collection=command_line.find_collection(slug), plan=asked))
    except CannotStudy as reason:
        command_line.wrong(str(reason))


def _read_inputs(options: dict[str, Any], scale: GradeScale) -> Inputs:
    if not (options["design"] and options["people"]):
        raise PlanRefused("name a --collection; or --run files with --sample to draw, or with --design and --people")
    if options["method"] != USUAL.method:
        raise PlanRefused("a judge that is taught reads texts: ask with --collection")
    try:
        design = json.loads(Path(options["design"]).read_bytes())
    except (OSError, ValueError, RecursionError) as reason:
        raise PlanRefused(f"{options['design']} cannot be read as the JSON of a design: {reason}") from None
    if not isinstance(design, dict):
        raise PlanRefused(f"{options['design']} is no design: an object was expected")
    people = grade_files.read_grades(options["people"], scale).qrels
    return mixed_inputs.read_inputs(design, _read_files(options, scale), people, scale)


def _read_files(options: dict[str, Any], scale: GradeScale) -> Files:
    paths = options["run_files"]
    if not paths:
        raise PlanRefused("give the runs as --run FILE, each once")
    named = {name: options[name] for name in ("reference", "model") if options[name]}
    return Files(
        runs=list(runs.read_runs(paths)),
        run_digests=[whole_files.digest_file(path) for path in paths],
        model_name=Path(options["model"]).name if options["model"] else "",
        **{name: grade_files.read_grades(file, scale).qrels for name, file in named.items()},
    )

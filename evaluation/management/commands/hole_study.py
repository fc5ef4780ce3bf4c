"""`manage.py hole_study`: grades are taken away, filled again, and systems ranked by both, from files."""

from typing import Any, get_args

from django.core.management.base import CommandParser

from annotate.formats import runs
from annotate.formats.records import GradeScale
from evaluation.agreement import pairing
from evaluation.engine import grade_files
from evaluation.engine.grade_files import GradedFile
from evaluation.management import stateless
from evaluation.studies.design import run_all
from evaluation.studies.kinds.holes import inputs, parts, plan
from evaluation.studies.kinds.holes.inputs import Inputs
from evaluation.studies.kinds.holes.plan import Gain, Plan

USUAL = Plan()


class Command(stateless.FileCommand):
    help = (
        "Take a part of the grades away, fill the holes, and see what becomes of the ranking of systems; JSON on "
        "stdout. Trivial fillers are always among them. Needs no database. Example: manage.py hole_study --qrels "
        "qrels.txt --run a.run --run b.run --holes all --fill model:gpt.qrels --fractions 0.1,0.5,0.9 --trials 20"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--qrels", required=True, metavar="FILE", help="the complete qrels, plain or .gz")
        stateless.add_runs(parser)
        parser.add_argument(
            "--holes",
            action="append",
            metavar="WHICH",
            help=f"{', '.join([*plan.OF_FRACTIONS, *plan.LEAVE_OUT])} or depth:K; again for more (default: "
            f"{plan.RELEVANT})",
        )
        parser.add_argument(
            "--fill",
            action="append",
            default=[],
            metavar="WITH",
            help=f"{', '.join(plan.FILLER_WORDS)}, constant:N, model:QRELS, learned:PASSAGES,TOPICS or "
            "calibrated:QRELS,PASSAGES,TOPICS; again for more",
        )
        parser.add_argument(
            "--fractions",
            type=stateless.argument(_fractions),
            default=list(USUAL.fractions),
            metavar="F,F",
            help="the shares that are taken away (default: 0.1 to 0.9)",
        )
        parser.add_argument(
            "--trials", type=int, default=USUAL.trials, help="draws of each fraction (default: %(default)s)"
        )
        parser.add_argument("--groups", metavar="FILE", help="`run_tag group` on each line, for leave-group-out")
        parser.add_argument(
            "--depth", type=int, default=USUAL.depth, help="pool depth for leave-system-out and -group-out"
        )
        parser.add_argument(
            "--gain", choices=get_args(Gain), default=USUAL.gain, help="gain of nDCG@10 (default: %(default)s)"
        )
        parser.add_argument("--per-system", action="store_true", help="tell how far each system's mean and place move")
        stateless.add_seed(parser, "draws")
        parser.set_defaults(seed=USUAL.seed)
        stateless.add_scale(parser)
        parser.add_argument("--json", action="store_true", help="answer in JSON, which is what it answers anyway")

    def compute(
        self, *, qrels: str, run_files: list[str], groups: str | None, scale: GradeScale, **options: Any
    ) -> dict[str, object]:
        asked = _plan(options)
        graded = grade_files.read_grades(qrels, scale)
        result = run_all(parts, asked, _inputs(asked, graded, run_files, groups, scale))
        if not options["per_system"]:
            for row in result["results"]:
                del row["shift"]
        return {"qrels": {"file": qrels, "left_out": graded.left_out()}, **result}


def _plan(options: dict[str, Any]) -> Plan:
    named = {name: options[name] for name in ("fractions", "trials", "seed", "gain", "depth")}
    return Plan.from_json({**named, "holes": options["holes"] or [plan.RELEVANT], "fillers": options["fill"]})


def _inputs(asked: Plan, graded: GradedFile, run_files: list[str], groups: str | None, scale: GradeScale) -> Inputs:
    every = asked.all_fillers(scale)
    taught = inputs.read_grades(every, scale, plan.CALIBRATED)
    result = runs.read_runs(run_files, depth=None if asked.needs_lists else asked.needed_depth)
    return Inputs(
        rankings=inputs.index_runs(result, asked, graded.qrels),
        qrels=graded.qrels,
        scale=scale,
        models=inputs.read_grades(every, scale, plan.MODEL),
        model_labels={text: pairing.grades_by_pair(given) for text, given in taught.items()},
        texts=inputs.read_texts(every),
        groups=runs.read_groups(groups) if groups else {},
    )


def _fractions(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{text!r} is no list of numbers such as 0.1,0.5,0.9") from None

"""`manage.py study`: start, list and show studies of a collection, and write what they found into a folder."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.formats import whole_files
from annotate.management import command_line
from annotate.models import Collection, Work
from evaluation.models import Study
from evaluation.studies import queries
from evaluation.studies.kinds.registry import BadPlan, CannotStudy
from evaluation.studies.operations import reports, running

KINDS = {kind.lower(): kind for kind in Study.Kind.values}


class Command(BaseCommand):
    help = (
        "Studies of a collection: start one from a plan in JSON, list them, show one. With --wait a study runs here "
        "to its end; with --folder its report, result, figures and tables are written there."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(
            parser, "study start --collection dl19 --kind holes --plan plan.json --wait --folder holes"
        )
        parser.add_argument("action", choices=["start", "list", "show"])
        command_line.add_collection(parser)
        parser.add_argument("--kind", choices=KINDS, help="of a study to start")
        parser.add_argument("--plan", metavar="FILE", help="JSON; without one, or where it is silent, as usual")
        parser.add_argument("--title", default="", help="of a study to start")
        parser.add_argument("--number", type=int, metavar="N", help="of a study to show (default: the last one)")
        parser.add_argument("--wait", action="store_true", help="run it to its end, or take it up again")
        parser.add_argument("--folder", metavar="FOLDER", help="write what it found there; implies --wait")

    def handle(self, *, action: str, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        if action == "list":
            self._list(collection, options["json"])
            return
        study = _start(collection, options) if action == "start" else _find_study(collection, options["number"])
        if options["wait"] or options["folder"]:
            study = _see_through(study)
        if options["folder"]:
            _write(study, Path(options["folder"]))
        record = {**_head(study), "result": queries.ordered_json(study.result)}
        command_line.answer(self, options["json"], record, _words(study))
        if action == "start" and study.result and study.result.get("refused"):
            command_line.refuse(f"Intervals are refused; study {study.number} is kept.")

    def _list(self, collection: Collection, as_json: bool) -> None:
        rows = Study.objects.filter(collection=collection).select_related("work").defer("result", "report")
        rows_json = [_head(study) for study in rows.order_by("number")]
        lines = [f"{row['number']:>4}  {row['state']:<8}  {row['kind']:<8}  {row['title']}" for row in rows_json]
        command_line.answer(self, as_json, {"studies": rows_json}, "\n".join(lines) or "There are no studies yet.")


def _start(collection: Collection, options: dict[str, Any]) -> Study:
    if options["kind"] is None:
        command_line.wrong(f"Say which kind: --kind {' or '.join(KINDS)}.")
    try:
        return running.start_study(
            collection=collection,
            kind=KINDS[options["kind"]],
            plan=_plan(options["plan"]),
            title=options["title"],
            by=None,
            now=timezone.now(),
        )
    except BadPlan as reason:
        command_line.wrong(f"The plan cannot be read: {str(reason).rstrip('.')}.")
    except CannotStudy as reason:
        command_line.refuse(str(reason))


def _plan(path: str | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        plan = json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        command_line.wrong(f"{path}: {error.strerror}.")
    except ValueError as error:
        command_line.wrong(f"{path} is not JSON: {error}.")
    except RecursionError:
        command_line.wrong(f"{path} is nested too deeply.")
    if not isinstance(plan, dict):
        command_line.wrong(f"{path} is no plan: a plan is a JSON object.")
    return plan


def _find_study(collection: Collection, number: int | None) -> Study:
    rows = Study.objects.filter(collection=collection).select_related("collection", "work").order_by("number")
    result = rows.last() if number is None else rows.filter(number=number).first()
    if result is None:
        command_line.refuse("There are no studies yet." if number is None else f"There is no study {number}.")
    return result


def _see_through(study: Study) -> Study:
    """Compute and draw all that it lacks."""
    ended = command_line.see_through(running.go_on(study=study, by=None, now=timezone.now()))
    if ended.state != Work.State.DONE:
        command_line.refuse(ended.error or "The study was stopped; what it computed is kept.")
    return _find_study(study.collection, study.number)


def _write(study: Study, folder: Path) -> None:
    for name, content in reports.all_files(study).items():
        try:
            whole_files.write(folder / name, [content], mode=whole_files.PUBLIC)
        except OSError as error:
            command_line.wrong(f"{folder / name}: {error.strerror}.")


def _head(study: Study) -> dict[str, Any]:
    return {"number": study.number, "kind": study.kind, "title": study.title, "state": study.state, "plan": study.plan}


def _words(study: Study) -> str:
    head = f"Study {study.number}, {study.title}: {study.state_words}."
    if study.finished_at is None:
        return head
    report = reports.read_report(study)
    return "\n".join([head, *(f"! {warning}" for warning in report.warnings), *report.findings])

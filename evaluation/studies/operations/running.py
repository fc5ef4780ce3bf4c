"""Running a study part by part: after a crash it goes on with the parts that are not there yet."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotate.formats.faults import Refused
from annotate.models import Work
from annotate.work import queue
from annotate.work.kinds import CannotGoOn, Step
from evaluation.findings import drawing
from evaluation.measures.definition import CannotMeasure
from evaluation.models import Study, StudyPart
from evaluation.studies import queries
from evaluation.studies.design.plan import PlanRefused
from evaluation.studies.kinds import registry
from evaluation.studies.kinds.registry import CannotStudy, OpenStudy, StudyKind
from evaluation.studies.operations import lifecycle, reports
from evaluation.studies.operations.reports import FORMATS

# So long the same worker takes other work first; it looks for some at once.
GIVING_WAY = timedelta(seconds=0.3)
DRAWN_AT_ONCE = 8


def run(work: Work) -> Iterator[Step]:
    """Compute what is missing, put it together, and draw the figures that are missing."""
    study = Study.objects.select_related("collection").filter(pk=work.arguments["study"]).first()
    if study is None:
        raise CannotGoOn("The study was deleted.")
    if study.result is None:
        yield from _compute(study)
    yield from _draw(study)


def _compute(study: Study) -> Iterator[Step]:
    yield Step(0, note="reading what was frozen")
    kind = registry.get_kind(study.kind)
    try:
        yield from _parts(study, kind)
    except (CannotStudy, PlanRefused, CannotMeasure, Refused) as reason:
        raise CannotGoOn(str(reason)) from None


def _parts(study: Study, kind: StudyKind) -> Iterator[Step]:
    opened = _open(study, kind)
    names = opened.list_parts()
    part_results = {name: queries.ordered_json(kept) for name, kept in study.parts.values_list("name", "found")}
    missing = [name for name in names if name not in part_results]
    for done, name in enumerate(missing, start=len(names) - len(missing)):
        yield Step(done, len(names), note=name)
        part_results[name] = queries.ordered_json(opened.run_part(name))
        _keep_part(study, name, part_results[name])
        yield Step(done + 1, len(names), note=name, not_before=_others_first())
    _finish(study, queries.ordered_json(opened.gather({name: part_results[name] for name in names})))


def _open(study: Study, kind: StudyKind) -> OpenStudy:
    try:
        return kind.open(study.plan, queries.ordered_json(study.manifest["inputs"]))
    except FileNotFoundError:
        raise CannotGoOn(
            "An input that was frozen is gone from the data folder. Run the study again on what there is today."
        ) from None


@transaction.atomic
def _keep_part(study: Study, name: str, result: Any) -> None:
    """Once: a worker that had lost its lease computed the same."""
    _hold(study)
    part = StudyPart(study=study, name=name, found=result, computed_at=timezone.now())
    StudyPart.objects.bulk_create([part], ignore_conflicts=True)


def _finish(study: Study, result: Any) -> None:
    """Keep the result and its report, which have in them what the parts found."""
    if (versions := queries.library_versions()) != study.manifest["versions"]:
        study.manifest["finished_with"] = versions
    study.result, study.report = result, queries.ordered_json(reports.make_report(study, result))
    study.finished_at = timezone.now()
    with transaction.atomic():
        _hold(study)
        study.save(update_fields=["result", "report", "finished_at", "manifest"])
        study.parts.all().delete()


def _hold(study: Study) -> None:
    if not Study.objects.select_for_update(no_key=True).filter(pk=study.pk).exists():
        raise CannotGoOn("The study was deleted meanwhile.")


def _draw(study: Study) -> Iterator[Step]:
    figures = reports.read_report(study).figures.values()
    wanted = [(figure, format) for figure in figures for format in FORMATS]
    missing = [each for each in wanted if drawing.read_drawing(*each) is None]
    done = len(wanted) - len(missing)
    for start in range(0, len(missing), DRAWN_AT_ONCE):
        some = missing[start : start + DRAWN_AT_ONCE]
        yield Step(done, len(wanted), note="drawing figures")
        drawing.draw_figures(some)
        done += len(some)
        yield Step(done, len(wanted), note="drawing figures", not_before=_others_first())


def _others_first() -> datetime | None:
    """The moment at which the study goes on, where other work waits for the same worker: people wait for that."""
    now = timezone.now()
    queues = [name for name in queue.QUEUES if name != queue.SUGGESTIONS]
    waiting = Work.objects.filter(state=Work.State.QUEUED, queue__in=queues).exclude(kind=lifecycle.KIND)
    return now + GIVING_WAY if waiting.exclude(not_before__gt=now).exists() else None

"""Running a study part by part: after a crash it goes on with the parts that are not there yet."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Max
from django.urls import reverse
from django.utils import timezone

from annotate.exports import queries as exports_queries
from annotate.formats.faults import Refused
from annotate.models import Collection, User, Work
from annotate.work import queue
from annotate.work.queue import CannotGoOn, Step, WorkRequest
from evaluation.findings import finding
from evaluation.measures.definition import CannotMeasure
from evaluation.models import Study, StudyPart
from evaluation.studies import queries
from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds import registry
from evaluation.studies.operations import reports

KIND = "study"  # as evaluation.apps registers it
LONGEST_TITLE = 200


def start_study(
    *, collection: Collection, kind: str, plan: Mapping[str, object], title: str = "", by: User | None, now: datetime
) -> Study:
    """Freeze the inputs of this moment and queue the study; the same plan on the same inputs is the study there is.

    Raises BadPlan, and CannotStudy where inputs are not there.
    """
    of_kind = registry.get_kind(kind)
    checked = _checked(of_kind.read_plan(plan).to_json())
    with nullcontext() if connection.in_atomic_block else exports_queries.snapshot():
        inputs = of_kind.freeze(collection=Collection.objects.get(pk=collection.pk), plan=checked)
    manifest = {"kind": kind, "inputs": inputs, "versions": queries.library_versions()}
    manifest["digest"] = json_digest({"plan": checked, **manifest})
    wanted = Study(
        collection=collection,
        kind=kind,
        title=_plain(title)[:LONGEST_TITLE] or Study.Kind(kind).label.capitalize(),
        plan=checked,
        manifest=manifest,
        created_at=now,
        created_by=by,
    )
    return _start(wanted)


def run_again(*, study: Study, by: User | None, now: datetime) -> Study:
    """The same plan on the grades and runs of today. Raises CannotStudy."""
    return start_study(collection=study.collection, kind=study.kind, plan=study.plan, title=study.title, by=by, now=now)


@transaction.atomic
def go_on(*, study: Study, by: User | None, now: datetime) -> Work:
    """Queue what the study still lacks, parts or drawings, unless that is under way."""
    return _queue(Study.objects.select_for_update(of=("self",), no_key=True).get(pk=study.pk), by, now)


@transaction.atomic
def delete_study(*, study: Study) -> None:
    """Take the study away with what it found. What it computes at this moment is lost; its frozen inputs stay."""
    if study.work is not None:
        queue.stop(work=study.work)
    Study.objects.filter(pk=study.pk).delete()


def json_digest(value: object) -> str:
    """Of a value as JSON, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, allow_nan=False).encode()).hexdigest()


@transaction.atomic
def _start(wanted: Study) -> Study:
    """Two who ask for the same at once get one study."""
    Collection.objects.select_for_update(no_key=True).get(pk=wanted.collection_id)
    studies = Study.objects.filter(collection=wanted.collection_id)
    if there := studies.filter(kind=wanted.kind, manifest__digest=wanted.manifest["digest"]).first():
        return there
    wanted.number = (studies.aggregate(last=Max("number"))["last"] or 0) + 1
    wanted.save()
    _queue(wanted, wanted.created_by, wanted.created_at)
    return wanted


def _queue(study: Study, by: User | None, now: datetime) -> Work:
    request = WorkRequest(
        collection=study.collection,
        kind=KIND,
        queue=queue.FINDINGS,
        subject=f"study {study.number}: {study.title}",
        arguments={"study": study.pk, "result": reverse("study", args=[study.collection.slug, study.number])},
        same_by=("study",),
    )
    study.work = queue.ask_once(request, by=by, now=now)
    study.save(update_fields=["work"])
    return study.work


def _checked(plan: dict[str, Any]) -> dict[str, Any]:
    """A plan that any database can keep."""
    try:
        text = json.dumps(plan, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise registry.BadPlan("The plan has a text that is not Unicode.") from None
    if b"\\u0000" in text:
        raise registry.BadPlan("The plan has a text with a NUL character.")
    return plan


def _plain(title: str) -> str:
    """In one line, without characters that show nothing."""
    return " ".join("".join(character if character.isprintable() else " " for character in title).split())


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
    inputs = queries.ordered_json(study.manifest["inputs"])
    try:
        yield from _run_parts(study, registry.get_kind(study.kind).open(study.plan, inputs))
    except FileNotFoundError:
        raise CannotGoOn(
            "An input that was frozen is gone from the data folder. Run the study again on what there is today."
        ) from None
    except (registry.CannotStudy, PlanRefused, CannotMeasure, Refused) as reason:
        raise CannotGoOn(str(reason)) from None


def _run_parts(study: Study, opened: registry.OpenStudy[Any, Any]) -> Iterator[Step]:
    names = opened.list_parts()
    part_results = {name: queries.ordered_json(kept) for name, kept in study.parts.values_list("name", "found")}
    missing = [name for name in names if name not in part_results]
    for done, name in enumerate(missing, start=len(names) - len(missing)):
        yield Step(done, len(names), note=name)
        part_results[name] = queries.ordered_json(opened.run_part(name))
        _keep_part(study, name, part_results[name])
        yield Step(done + 1, len(names), note=name, not_before=_others_first())
    _finish(study, queries.ordered_json(opened.gather({name: part_results[name] for name in names})))


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
    wanted = [(figure, format) for figure in figures for format in reports.FORMATS]
    missing = [each for each in wanted if finding.read_drawing(*each) is None]
    done = len(wanted) - len(missing)
    for start in range(0, len(missing), DRAWN_AT_ONCE):
        some = missing[start : start + DRAWN_AT_ONCE]
        yield Step(done, len(wanted), note="drawing figures")
        finding.draw_figures(some)
        done += len(some)
        yield Step(done, len(wanted), note="drawing figures", not_before=_others_first())


def _others_first() -> datetime | None:
    """The moment at which the study goes on, where other work waits for the same worker: people wait for that."""
    now = timezone.now()
    queues = [name for name in queue.QUEUES if name != queue.SUGGESTIONS]
    waiting = Work.objects.filter(state=Work.State.QUEUED, queue__in=queues).exclude(kind=KIND)
    return now + GIVING_WAY if waiting.exclude(not_before__gt=now).exists() else None

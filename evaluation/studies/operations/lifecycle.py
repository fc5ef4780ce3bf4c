"""Studies from their request to their end: their inputs are frozen first, and then they run in the background."""

import hashlib
import json
from collections.abc import Mapping
from contextlib import nullcontext
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Max
from django.urls import reverse

from annotate.exports import queries as exports_queries
from annotate.models import Collection, User, Work
from annotate.work import queue
from annotate.work.queue import WorkRequest
from evaluation.models import Study
from evaluation.studies import queries
from evaluation.studies.kinds import registry
from evaluation.studies.kinds.registry import BadPlan

KIND = "study"  # as evaluation.apps registers it
LONGEST_TITLE = 200


def start_study(
    *, collection: Collection, kind: str, plan: Mapping[str, object], title: str = "", by: User | None, now: datetime
) -> Study:
    """Freeze the inputs of this moment and queue the study; the same plan on the same inputs is the study there is.

    Raises BadPlan, and CannotStudy where inputs are not there.
    """
    of_kind = registry.get_kind(kind)
    checked = _checked(of_kind.read(plan).to_json())
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
        raise BadPlan("The plan has a text that is not Unicode.") from None
    if b"\\u0000" in text:
        raise BadPlan("The plan has a text with a NUL character.")
    return plan


def _plain(title: str) -> str:
    """In one line, without characters that show nothing."""
    return " ".join("".join(character if character.isprintable() else " " for character in title).split())

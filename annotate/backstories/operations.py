"""Versions of backstories: written, approved, said to look wrong. The text of a version never changes."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from annotate.backstories import queries
from annotate.models import Backstory, BackstoryFlag, Claim, Collection, Generation, Membership, Topic, User


@transaction.atomic
def add_version(*, topic: Topic, text: str, origin: str, by: User | None, now: datetime) -> Backstory:
    """The next version of a topic's backstory, shown with pairs that are claimed from now on; the same text makes
    none."""
    Topic.objects.select_for_update().get(pk=topic.pk)
    current = Backstory.objects.filter(topic=topic, is_current=True).first()
    if current and current.text == text:
        return current
    Backstory.objects.filter(topic=topic, is_current=True).update(is_current=False)
    return Backstory.objects.create(
        topic=topic, version=_next_version(topic), text=text, origin=origin, created_at=now, created_by=by
    )


@transaction.atomic
def add_draft(*, topic: Topic, text: str, generation: Generation, now: datetime) -> Backstory:
    """A version that a model wrote: nobody but researchers reads it, and what is in force stays, until it is
    approved."""
    Topic.objects.select_for_update().get(pk=topic.pk)
    return Backstory.objects.create(
        topic=topic,
        version=_next_version(topic),
        text=text,
        origin=Backstory.Origin.GENERATED,
        generation=generation,
        state=Backstory.State.DRAFT,
        is_current=False,
        created_at=now,
        created_by_id=generation.batch.created_by_id,
    )


@transaction.atomic
def approve_version(*, backstory: Backstory) -> None:
    """A researcher finds it fine as it is. A draft is in force from now on; what was said against a version stays to be
    read."""
    Topic.objects.select_for_update().get(pk=backstory.topic_id)
    is_draft = Backstory.objects.filter(pk=backstory.pk, state=Backstory.State.DRAFT).exists()
    if is_draft:
        Backstory.objects.filter(topic=backstory.topic_id, is_current=True).update(is_current=False)
    Backstory.objects.filter(pk=backstory.pk).update(
        state=Backstory.State.APPROVED, **({"is_current": True} if is_draft else {})
    )


def approve_drafts(*, collection: Collection) -> int:
    """Approve the newest draft of every topic that is newer than what is in force; returns how many there were."""
    waiting = queries.list_drafts(collection)
    for draft in waiting:
        approve_version(backstory=draft)
    return len(waiting)


@transaction.atomic
def flag_version(*, assessor: Membership, backstory_id: int, comment: str, now: datetime) -> BackstoryFlag:
    """An assessor says that a version looks wrong: once, what is said later replaces the comment.

    Raises Backstory.DoesNotExist for a version that never stood beside a pair of the assessor's.
    """
    shown = Claim.objects.filter(assessor=assessor).values("backstory")
    backstory = Backstory.objects.select_for_update().get(pk=backstory_id, pk__in=shown)
    made, is_new = BackstoryFlag.objects.get_or_create(
        backstory=backstory, assessor=assessor, defaults={"comment": comment, "created_at": now}
    )
    if not is_new and comment:
        made.comment = comment
        made.save(update_fields=["comment"])
    Backstory.objects.filter(pk=backstory.pk).update(state=Backstory.State.FLAGGED)
    return made


def _next_version(topic: Topic) -> int:
    return (Backstory.objects.filter(topic=topic).aggregate(newest=Max("version"))["newest"] or 0) + 1

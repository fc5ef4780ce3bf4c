"""Versions of backstories: written, approved, said to look wrong. The text of a version never changes."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from annotate.models import Backstory, BackstoryFlag, Claim, Membership, Topic, User


@transaction.atomic
def add_version(*, topic: Topic, text: str, origin: str, by: User | None, now: datetime) -> Backstory:
    """The next version of a topic's backstory, shown with pairs that are claimed from now on; the same text makes
    none."""
    Topic.objects.select_for_update().get(pk=topic.pk)
    current = Backstory.objects.filter(topic=topic, is_current=True).first()
    if current and current.text == text:
        return current
    Backstory.objects.filter(topic=topic, is_current=True).update(is_current=False)
    newest = Backstory.objects.filter(topic=topic).aggregate(newest=Max("version"))["newest"] or 0
    return Backstory.objects.create(
        topic=topic, version=newest + 1, text=text, origin=origin, created_at=now, created_by=by
    )


@transaction.atomic
def approve(*, backstory: Backstory) -> None:
    """A researcher finds it fine as it is; what was said against it stays to be read."""
    Backstory.objects.filter(pk=backstory.pk).update(state=Backstory.State.APPROVED)


@transaction.atomic
def flag(*, assessor: Membership, backstory_id: int, comment: str, now: datetime) -> BackstoryFlag:
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

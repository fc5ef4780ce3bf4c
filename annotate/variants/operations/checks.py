"""People say of query variants whether they mean what the query means, and which of two profiles wrote them.

Everybody is offered the same two profiles for a variant, in an order of one's own; what others said is not shown.
"""

import heapq
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from annotate.models import Collection, Membership, Profile, QueryVariant, VariantCheck
from annotate.rules import seeds

MOST_PEOPLE = 10


class CannotDraw(Exception):
    """Why no variants are put in front of people; the sentence that the person reads."""


class NotOffered(Exception):
    """The person was not asked about this variant in this way."""


class Said(NamedTuple):
    """`writer` is one of VariantCheck.Writer, empty where no two profiles were offered; `first_id` and `second_id` are
    those that were, in the order in which they stood."""

    has_same_meaning: bool
    writer: str = ""
    first_id: int | None = None
    second_id: int | None = None
    comment: str = ""


@transaction.atomic
def draw(*, collection: Collection, per_profile: int, people: int) -> int:
    """Want so many people's say on a seeded choice of variants of each profile, all of them where there are fewer;
    returns how many variants that is. An earlier choice ends; what was said stays. Raises CannotDraw."""
    if per_profile < 1 or not 1 <= people <= MOST_PEOPLE:
        raise CannotDraw(f"Choose at least one variant of each profile, and 1 to {MOST_PEOPLE} people.")
    locked = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    chosen = _chosen(locked, per_profile)
    if not chosen:
        raise CannotDraw("There are no variants with a text yet.")
    rows = QueryVariant.objects.filter(collection=collection)
    rows.filter(checks_wanted__gt=0).update(checks_wanted=0)
    for start in range(0, len(chosen), 500):
        rows.filter(pk__in=chosen[start : start + 500]).update(checks_wanted=people)
    return len(chosen)


@transaction.atomic
def end(*, collection: Collection) -> None:
    """Nobody is asked any more; what was said stays."""
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    QueryVariant.objects.filter(collection=collection, checks_wanted__gt=0).update(checks_wanted=0)


@transaction.atomic
def record(*, member: Membership, variant_id: int, said: Said, now: datetime) -> VariantCheck:
    """What a person says; said again it replaces what was said before. Raises NotOffered for a variant about which
    nobody is asked, or that is withdrawn, and for profiles that cannot have stood beside it."""
    # What is taken out is locked by the collection too: an answer comes before it, or not at all.
    Collection.objects.select_for_update(no_key=True).get(pk=member.collection_id)
    variant = QueryVariant.objects.published().filter(pk=variant_id, collection=member.collection_id).first()
    if variant is None:
        raise NotOffered
    there = VariantCheck.objects.select_for_update().filter(variant=variant, member=member).first()
    if not (there or variant.checks_wanted) or not _may_have_stood(variant, said):
        raise NotOffered
    check, _ = VariantCheck.objects.update_or_create(
        variant=variant, member=member, defaults={**said._asdict(), "created_at": now}
    )
    return check


def _may_have_stood(variant: QueryVariant, said: Said) -> bool:
    """Whether the two profiles are its own and another of the collection, or no two were offered."""
    offered = [one for one in (said.first_id, said.second_id) if one is not None]
    if not offered:
        return not said.writer
    here = Profile.objects.filter(pk__in=offered, collection=variant.collection_id).count()
    return bool(said.writer) and variant.profile_id in offered and here == 2


def _chosen(collection: Collection, per_profile: int) -> list[int]:
    """Row ids; the choice depends on the seed and the variant ids alone."""
    by_profile: dict[int, list[tuple[int, int]]] = {}
    rows = QueryVariant.objects.published().filter(collection=collection).exclude(text="")
    for pk, variant_id, profile in rows.values_list("pk", "variant_id", "profile").iterator():
        by_profile.setdefault(profile, []).append((seeds.number(collection.seed, "check", variant_id), pk))
    return [pk for keyed in by_profile.values() for _, pk in heapq.nsmallest(per_profile, keyed)]

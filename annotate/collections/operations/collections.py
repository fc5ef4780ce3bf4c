"""Making collections, choosing how their holes are judged, and changing their scale."""

import re
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotate.collections import queries as collections_queries
from annotate.collections.operations import people
from annotate.formats.records import GradeScale
from annotate.models import Claim, Collection, Guidelines, Judgment, Membership, Rater, User
from annotate.pairs import refresh
from annotate.rules import drawing, permissions

# What all pairs repeat or are ordered by.
FOLLOWED = {
    "order",
    "seed",
    "target",
    "share_several",
    "target_several",
    "propagates_duplicates",
    "consensus",
    "reference_rater",
}
ARMS = {"share_hidden", "share_shown", "share_reveal", "arm_unit", "seed"}
# PostgreSQL refuses a longer one and SQLite would not.
MOST_IN_TITLE = 200
# Words of our own for the usual scales; any other scale is named by its numbers until a researcher writes words.
USUAL_WORDS = {
    (0, 1): ("irrelevant", "relevant"),
    (0, 2): ("irrelevant", "partly relevant", "relevant"),
    (0, 3): ("irrelevant", "related", "highly relevant", "perfectly relevant"),
}

SCALE_LOCKED = "Grades are stored: the scale stays. For another scale make another collection."


class CannotChange(ValueError):
    """Why a collection cannot be made or changed so."""


class BadValue(CannotChange):
    """What no collection can be given, whatever there is already."""


@transaction.atomic
def create_collection(
    *, slug: str, title: str, scale: GradeScale, description: str = "", by: User | None, now: datetime
) -> Collection:
    """A collection with first guidelines; `by` becomes its researcher. Raises CannotChange for a bad or taken
    slug and for a title that is too long."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,79}", slug):
        raise BadValue("The short name has small letters, digits and hyphens, for instance dl19-passages.")
    if Collection.objects.filter(slug=slug).exists():
        raise CannotChange(f"There is a collection {slug} already; choose another short name.")
    if len(title.strip()) > MOST_IN_TITLE:
        raise BadValue(f"The title has {len(title.strip()):,} characters; it may have {MOST_IN_TITLE}.")
    collection = Collection.objects.create(
        slug=slug,
        title=title.strip() or slug,
        description=description.strip(),
        lowest_grade=scale.low,
        highest_grade=scale.high,
        created_by=by,
        created_at=now,
    )
    add_guidelines(collection=collection, text="", grade_words=usual_grade_words(scale), by=by, now=now)
    if by is not None:
        people.add_member(collection=collection, user=by, role="RESEARCHER", now=now)
    return collection


def usual_grade_words(scale: GradeScale) -> list[dict[str, object]]:
    names = USUAL_WORDS.get((scale.low, scale.high))
    return [
        {"grade": grade, "name": names[place] if names else f"grade {grade}", "description": ""}
        for place, grade in enumerate(scale.grades)
    ]


@transaction.atomic
def add_guidelines(
    *, collection: Collection, text: str, grade_words: list[dict[str, object]], by: User | None, now: datetime
) -> Guidelines:
    """A new version of the guidelines; the same words make none. Raises CannotChange unless each grade has a name."""
    if [word["grade"] for word in grade_words] != list(collection.scale.grades) or not all(
        str(word["name"]).strip() for word in grade_words
    ):
        raise CannotChange(f"Give each grade of the scale {collection.scale} a name.")
    newest = Guidelines.objects.filter(collection=collection).order_by("version").last()
    if newest and (newest.text, newest.grade_words) == (text, grade_words):
        return newest
    Guidelines.objects.filter(collection=collection, is_current=True).update(is_current=False)
    return Guidelines.objects.create(
        collection=collection,
        version=newest.version + 1 if newest else 1,
        text=text,
        grade_words=grade_words,
        created_at=now,
        created_by=by,
    )


@transaction.atomic
def change_judging(*, collection: Collection, changes: dict[str, object], by: User | None = None) -> Collection:
    """Change how pairs are judged: arms and their unit, order, target, repeats, claims, consensus, the model that
    suggests.

    The settings count at once; the pairs of a large collection follow in the background. A change of the arms or of
    their seed is refused once judgments are stored, since the arm of a pair is fixed. Raises CannotChange.
    """
    held = refresh.hold_pairs(collection) if FOLLOWED & changes.keys() else None
    locked = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    changed = {name for name, value in changes.items() if getattr(locked, name) != value}
    _check_stored(locked, changed)
    for name in changed:
        setattr(locked, name, changes[name])
    _check_values(locked, changed)
    locked.save(update_fields=sorted(changed))
    if changed & FOLLOWED:
        subject = "pairs after the change of settings"
        refresh.follow_change(collection=locked, held=held, subject=subject, by=by, now=timezone.now())
    return locked


def _check_stored(collection: Collection, changed: set[str]) -> None:
    """Refuse what would belie the rows that are there."""
    if changed & ARMS and Judgment.objects.filter(assessor__collection=collection).exists():
        raise CannotChange("Judgments are stored: the arms, what fixes them and the seed stay as they are.")
    if collection.order in drawing.DRAWN and changed & {"order", "reference_rater"}:
        raise CannotChange(
            f"The order is {collection.get_order_display()}, drawn from the holes that the reference left: end it on "
            "the page Pairs before you change the order or the reference."
        )


def _check_values(collection: Collection, changed: set[str]) -> None:
    """Refuse what the collection cannot be, as it would be."""
    if "order" in changed and collection.order in drawing.DRAWN:
        raise CannotChange("A sample, a list and an order by influence need a draw: start it on the page Pairs.")
    if collection.propagates_duplicates and collection.order in (drawing.SAMPLE, drawing.LIST):
        raise CannotChange(
            "A sample or a list is in force, and each of its pairs is to be judged: end it before near-duplicates are "
            "judged once."
        )
    if collection.pair_draw and collection.pair_draw.design.get("is_weighted"):
        _check_weighted(collection)
    rater = collection.suggesting_rater if "suggesting_rater" in changed else None
    if rater and (rater.collection_id != collection.pk or rater.kind != Rater.Kind.MODEL):
        raise CannotChange("Suggestions come from a model rater of this collection.")
    if collection.share_several and collection.target_several <= collection.target:
        raise CannotChange(f"Pairs judged by several need more judgments than the {collection.target} of the others.")


def _check_weighted(collection: Collection) -> None:
    try:
        permissions.check_weighting(collection.arm_shares)
    except permissions.NotAllowed as reason:
        raise CannotChange(str(reason)) from None


@transaction.atomic
def change_scale(*, collection: Collection, scale: GradeScale, by: User | None, now: datetime) -> Collection:
    """Give a collection another scale. Its guidelines get a new version with first words for the new grades; pairs in
    front of people show them at once. Raises CannotChange once a grade is stored."""
    assessors = Membership.objects.select_for_update(no_key=True).filter(
        collection=collection, role=Membership.Role.ASSESSOR
    )
    list(assessors.order_by("pk"))  # who judges holds the own row first: nobody stores a grade of the old scale now
    locked = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    if locked.scale == scale:
        return locked
    if collections_queries.has_stored_grades(locked):
        raise CannotChange(SCALE_LOCKED)
    locked.lowest_grade, locked.highest_grade = scale.low, scale.high
    locked.save(update_fields=["lowest_grade", "highest_grade"])
    newest = locked.guidelines.get(is_current=True)
    words = usual_grade_words(scale)
    guidelines = add_guidelines(collection=locked, text=newest.text, grade_words=words, by=by, now=now)
    Claim.objects.filter(collection=locked, state=Claim.State.OPEN).update(guidelines=guidelines)
    return locked

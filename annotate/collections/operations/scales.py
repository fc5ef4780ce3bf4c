"""Changing the scale of grades, as long as no grade is stored."""

from datetime import datetime

from django.db import transaction

from annotate.collections.operations import collections
from annotate.collections.queries import stored_grades
from annotate.formats.scale import GradeScale
from annotate.models import Claim, Collection, Membership, User

LOCKED = "Grades are stored: the scale stays. For another scale make another collection."


@transaction.atomic
def change(*, collection: Collection, scale: GradeScale, by: User | None, now: datetime) -> Collection:
    """Give a collection another scale. Its guidelines get a new version with first words for the new grades; pairs in
    front of people show them at once. Raises collections.CannotChange once a grade is stored."""
    assessors = Membership.objects.select_for_update(no_key=True).filter(
        collection=collection, role=Membership.Role.ASSESSOR
    )
    list(assessors.order_by("pk"))  # who judges holds the own row first: nobody stores a grade of the old scale now
    locked = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    if locked.scale == scale:
        return locked
    if stored_grades.exist(locked):
        raise collections.CannotChange(LOCKED)
    locked.lowest_grade, locked.highest_grade = scale.low, scale.high
    locked.save(update_fields=["lowest_grade", "highest_grade"])
    newest = locked.guidelines.get(is_current=True)
    told = collections.add_guidelines(
        collection=locked, text=newest.text, grade_words=collections.usual_words(scale), by=by, now=now
    )
    Claim.objects.filter(collection=locked, state=Claim.State.OPEN).update(guidelines=told)
    return locked

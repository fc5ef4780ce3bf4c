"""Grading the same pairs against the query, the backstory and both, with one prompt and model: three batches."""

from dataclasses import replace
from datetime import datetime

from django.db import transaction

from annotate.llm.grade_requests import Against
from annotate.models import Batch, Collection, User
from annotate.suggestions.operations import asking
from annotate.suggestions.operations.asking import CannotAsk, Estimate, GradesPlan


def estimates(*, collection: Collection, wish: GradesPlan) -> dict[Against, Estimate]:
    """A dry run of each batch. Raises CannotAsk."""
    return {one.against: asking.estimate(collection=collection, wish=one) for one in _wishes(wish)}


@transaction.atomic
def request(*, collection: Collection, wish: GradesPlan, by: User | None, now: datetime) -> list[Batch]:
    """Queue the three batches, without those whose pairs are graded already. Raises CannotAsk where none is left."""
    batches, refusal = [], None
    for one in _wishes(wish):
        try:
            with transaction.atomic():
                batches.append(asking.request(collection=collection, wish=one, by=by, now=now))
        except CannotAsk as reason:
            refusal = reason
    if not batches and refusal:
        raise refusal
    return batches


def _wishes(wish: GradesPlan) -> list[GradesPlan]:
    """The same pairs in each: only topics that have a backstory. Each has a third of the budget."""
    budget = None if wish.budget is None else (wish.budget / len(Against)).quantize(wish.budget)
    return [replace(wish, against=against, only_with_backstory=True, budget=budget) for against in Against]

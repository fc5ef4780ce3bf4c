"""Grading the same pairs against the query, the backstory and both, with one prompt and model: three batches."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from annotate.llm.grade_requests import Against
from annotate.llm.messages import Tokens
from annotate.models import Batch, Collection, User
from annotate.suggestions.operations import batches
from annotate.suggestions.purposes.grades import GradesPlan
from annotate.suggestions.purposes.purpose import CannotAsk, Estimate


def estimate(*, collection: Collection, plan: GradesPlan, now: datetime) -> Estimate:
    """A dry run of the three together; the pairs are those of each. Raises CannotAsk."""
    each = [batches.estimate(collection=collection, plan=one, now=now) for one in _split(plan)]
    costs = [one.most_cost for one in each if one.most_cost is not None]
    return replace(
        each[0],
        calls=sum(one.calls for one in each),
        most_calls=sum(one.most_calls for one in each),
        most_tokens=sum((one.most_tokens for one in each), Tokens()),
        most_cost=sum(costs, Decimal(0)) if len(costs) == len(each) else None,
    )


@transaction.atomic
def start(*, collection: Collection, plan: GradesPlan, by: User | None, now: datetime) -> list[Batch]:
    """Queue the three batches, without those whose pairs are graded already. Raises CannotAsk where none is left."""
    started, refusal = [], None
    for one in _split(plan):
        try:
            started.append(batches.start(collection=collection, plan=one, by=by, now=now))
        except CannotAsk as reason:
            refusal = reason
    if not started and refusal:
        raise refusal
    return started


def _split(plan: GradesPlan) -> list[GradesPlan]:
    """The same pairs in each: only topics that have a backstory. Each has a third of the budget."""
    budget = None if plan.budget is None else (plan.budget / len(Against)).quantize(plan.budget)
    return [replace(plan, against=against, only_with_backstory=True, budget=budget) for against in Against]

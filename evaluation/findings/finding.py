"""Findings: what is known of a question, and its computation in the background where nothing is or facts moved on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotate.models import Collection, User, Work
from annotate.work import queue
from annotate.work.kinds import Step
from evaluation.findings import assessors, ranking_stability, variants
from evaluation.findings.agreement import details, several
from evaluation.findings.leaderboard import comparisons
from evaluation.inputs.questions import Question
from evaluation.models import Finding

KIND = "finding"  # as evaluation.apps registers it
Told = dict[str, object]

_computations: dict[str, Callable[[Collection, dict[str, str]], Told]] = {
    "comparison": comparisons.compute_changes,
    "agreement": details.compute_details,
    "several": several.compute_intervals,
    variants.BIAS: variants.compute_bias,
    "assessors": assessors.compute_statistics,
    ranking_stability.STABILITY: ranking_stability.compute_stability,
}


@dataclass(frozen=True)
class KnownFinding:
    """`value` is what was found last, None if nothing ever was; `is_stale` where it rests on earlier facts.

    `work` is the computation that is under way or, where it failed or was stopped, the one that did.
    """

    value: Told | None
    is_stale: bool
    computed_at: datetime | None
    work: Work | None

    @property
    def is_waiting(self) -> bool:
        return self.work is not None and not self.work.is_over


def ask_finding(*, collection: Collection, question: Question, by: User | None, now: datetime) -> KnownFinding:
    """What is known. Where that is nothing, or stale, its computation is queued, once."""
    today = question.facts(collection)
    found = Finding.objects.filter(collection=collection, kind=question.kind, key=question.key).first()
    if found and found.facts == today:
        return KnownFinding(found.value, False, found.computed_at, None)
    work = _last_work(collection, question, today) or _queue(collection, question, today, by, now)
    return KnownFinding(found and found.value, found is not None, found and found.computed_at, work)


def run_finding(work: Work) -> Iterator[Step]:
    """Compute from the facts of this moment, and keep the answer in place of an earlier one."""
    assert work.collection is not None
    asked = work.arguments
    question = Question(asked["kind"], tuple(map(tuple, asked["arguments"])), work.subject, tuple(asked["models"]))
    yield Step(0, 1)
    today = question.facts(work.collection)
    value = _computations[question.kind](work.collection, dict(question.arguments))
    Finding.objects.update_or_create(
        collection=work.collection,
        kind=question.kind,
        key=question.key,
        defaults={
            "question": dict(question.arguments),
            "facts": today,
            "value": value,
            "computed_at": timezone.now(),
        },
    )
    yield Step(1, 1)


def _last_work(collection: Collection, question: Question, today: str) -> Work | None:
    """The computation under way, whatever facts it was asked for; or one that came to no end on today's facts."""
    asked = Work.objects.filter(collection=collection, kind=KIND, arguments__key=question.key).order_by("pk")
    if going_on := asked.filter(state__in=[Work.State.QUEUED, Work.State.RUNNING]).last():
        return going_on
    last = asked.filter(arguments__facts=today).last()
    return last if last and last.state in (Work.State.FAILED, Work.State.STOPPED) else None


@transaction.atomic
def _queue(collection: Collection, question: Question, today: str, by: User | None, now: datetime) -> Work:
    """Two who ask at once wait for one computation."""
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    if there := _last_work(collection, question, today):
        return there
    page, address = question.page
    return queue.enqueue(
        collection=collection,
        kind=KIND,
        lane=queue.FINDINGS,
        subject=question.subject,
        arguments={
            "kind": question.kind,
            "key": question.key,
            "facts": today,
            "arguments": question.arguments,
            "models": question.models,
            "result": f"{reverse(page, args=[collection.slug])}?{address}",
        },
        by=by,
        now=now,
    )

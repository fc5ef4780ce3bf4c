"""Findings: what is known of a question, and its computation in the background where nothing is or facts moved on."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Generic

from django.urls import reverse
from django.utils import timezone

from annotate.models import Collection, User, Work
from annotate.work import queue
from annotate.work.kinds import Step
from annotate.work.queue import WorkRequest
from evaluation.findings.agreement.details import DetailsQuestion
from evaluation.findings.agreement.several import SeveralQuestion
from evaluation.findings.assessors import StatisticsQuestion
from evaluation.findings.leaderboard.comparisons import ChangesQuestion
from evaluation.findings.ranking_stability import StabilityQuestion
from evaluation.findings.variants import BiasQuestion
from evaluation.inputs.questions import Answer, Question
from evaluation.models import Finding

KIND = "finding"  # as evaluation.apps registers it

_KINDS: tuple[type[Question[object]], ...] = (
    ChangesQuestion,
    DetailsQuestion,
    SeveralQuestion,
    BiasQuestion,
    StatisticsQuestion,
    StabilityQuestion,
)
_QUESTIONS = {question.kind: question for question in _KINDS}


@dataclass(frozen=True)
class KnownFinding(Generic[Answer]):
    """`value` is what was found last, None if nothing ever was; `is_stale` where it rests on earlier facts.

    `work` is the computation that is under way or, where it failed or was stopped, the one that did.
    """

    value: Answer | None
    is_stale: bool
    computed_at: datetime | None
    work: Work | None

    @property
    def is_waiting(self) -> bool:
        return self.work is not None and not self.work.is_over


def ask_finding(
    *, collection: Collection, question: Question[Answer], by: User | None, now: datetime
) -> KnownFinding[Answer]:
    """What is known. Where that is nothing, or stale, its computation is queued, once."""
    today = question.facts(collection)
    found = Finding.objects.filter(collection=collection, kind=question.kind, key=question.key).first()
    if found and found.facts == today:
        return KnownFinding(found.value, False, found.computed_at, None)
    work = queue.ask_once(_request(collection, question, today), by=by, now=now)
    if found is None:
        return KnownFinding(None, False, None, work)
    return KnownFinding(found.value, True, found.computed_at, work)


def run_finding(work: Work) -> Iterator[Step]:
    """Compute from the facts of this moment, and keep the answer in place of an earlier one."""
    assert work.collection is not None
    asked = work.arguments
    arguments = tuple((name, value) for name, value in asked["arguments"])
    question = _QUESTIONS[asked["kind"]](arguments, work.subject, tuple(asked["models"]))
    yield Step(0, 1)
    today = question.facts(work.collection)
    value = question.compute(work.collection)
    Finding.objects.update_or_create(
        collection=work.collection,
        kind=question.kind,
        key=question.key,
        defaults={"question": dict(question.arguments), "facts": today, "value": value, "computed_at": timezone.now()},
    )
    yield Step(1, 1)


def _request(collection: Collection, question: Question[Answer], today: str) -> WorkRequest:
    """What is under way is joined, whatever facts it was asked for; on today's facts a failure is an answer."""
    return WorkRequest(
        collection=collection,
        kind=KIND,
        queue=queue.FINDINGS,
        subject=question.subject,
        arguments={
            "kind": question.kind,
            "key": question.key,
            "facts": today,
            "arguments": question.arguments,
            "models": question.models,
            "result": f"{reverse(question.page, args=[collection.slug])}?{question.address}",
        },
        same_by=("key",),
        final_by=("key", "facts"),
    )

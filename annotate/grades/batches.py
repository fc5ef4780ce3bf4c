"""What a batch came to: rows by state and cause, tokens, cost."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, QuerySet

from annotate.llm import capabilities
from annotate.llm.capabilities import Capabilities, plan_call
from annotate.llm.messages import Request, Tokens
from annotate.llm.requests import AnswerForm
from annotate.models import (
    Backstory,
    Batch,
    Collection,
    Generation,
    ProbeAnswer,
    QueryVariant,
    Suggestion,
    Work,
    required,
)
from annotate.work import progress as work_progress
from annotate.work.progress import Progress

MOST_SHOWN = 50
OF_TEXTS = (Batch.Purpose.BACKSTORIES, Batch.Purpose.VARIANTS)


@dataclass(frozen=True)
class PossiblyBilled:
    """Calls that were sent and came to no answer here. `tokens`, `cost`: the most that they can have used and cost, in
    US dollars; None where the price is not known."""

    calls: int
    tokens: Tokens
    cost: Decimal | None


@dataclass(frozen=True)
class ShownBatch:
    """A batch for people. `states` and `causes` with their counts; `progress` of its newest work."""

    batch: Batch
    states: list[tuple[str, int]]
    causes: list[tuple[str, int]]
    cost: Decimal | None
    progress: Progress | None

    @property
    def name(self) -> str:
        return name_batch(self.batch)

    @property
    def adaptations(self) -> tuple[str, ...]:
        return list_adaptations(self.batch)

    @property
    def versions(self) -> list[str]:
        """That answered, in the service's words: more than one if the model changed meanwhile."""
        return list(self.batch.model_versions)

    @property
    def possibly_billed(self) -> PossiblyBilled:
        return possibly_billed(self.batch)

    @property
    def next_try_at(self) -> datetime | None:
        """While the service is away: when it is asked again."""
        work = self.batch.work
        return work.not_before if self.batch.away_since and work and work.state == Work.State.QUEUED else None

    @property
    def messages(self) -> list[tuple[str, int, str]]:
        """Cause, how often, the service's words."""
        return [(cause, kept["count"], kept["message"]) for cause, kept in self.batch.messages.items()]

    @property
    def is_of_texts(self) -> bool:
        return self.batch.purpose in OF_TEXTS

    @property
    def may_be_taken_back(self) -> bool:
        """Whether it has written query variants, or drafts of backstories, that can be taken out."""
        if self.is_under_way or not self.is_of_texts:
            return False
        drafts = Backstory.objects.filter(generation__batch=self.batch, state=Backstory.State.DRAFT)
        return drafts.exists() or QueryVariant.objects.filter(generation__batch=self.batch).exists()

    @property
    def not_as_wanted(self) -> list[Generation]:
        """The first texts that are not there, or not as they were wanted, with all their answers."""
        if not self.is_of_texts:
            return []
        rows = Generation.objects.filter(batch=self.batch).exclude(state="DONE", cause="").exclude(state="QUEUED")
        return list(rows.select_related("topic", "profile").order_by("pk")[:MOST_SHOWN])

    @property
    def is_under_way(self) -> bool:
        return self.progress is not None and not self.progress.work.is_over

    @property
    def has_gaps(self) -> bool:
        """Whether some rows came to no grade or text and can be asked about again."""
        return any(state != Suggestion.State.DONE.label for state, _ in self.states)


def name_batch(batch: Batch) -> str:
    """The rater whose grades are asked for, else what is asked of which model."""
    if batch.rater:
        return batch.rater.name
    if batch.purpose == Batch.Purpose.PROBE:
        return f"Probe of {batch.parameters['model']}"
    return f"{batch.get_purpose_display().capitalize()} by {batch.parameters['model']}"


def count_tokens(batch: Batch) -> Tokens:
    """What the service counted so far."""
    return Tokens(
        batch.tokens_fresh, batch.tokens_cached, batch.tokens_written, batch.tokens_given, batch.tokens_thought
    )


def batch_cost(batch: Batch) -> Decimal | None:
    """US dollars so far, to the last digit, at the price when it was asked; None where that is not known."""
    if batch.price is None:
        return None
    price = capabilities.Price.from_json(batch.price)
    cost = capabilities.compute_cost(price, count_tokens(batch), is_batch=batch.is_batched)
    return cost + batch.surcharge.normalize() if batch.surcharge else cost


def sum_surcharges(batch: Batch, used: Iterable[Tokens]) -> Decimal:
    """What these calls cost beyond their tokens' price, since their prompts are long."""
    if batch.price is None:
        return Decimal(0)
    price = capabilities.Price.from_json(batch.price)
    costs = (capabilities.compute_surcharge(price, tokens, is_batch=batch.is_batched) for tokens in used)
    return sum(costs, Decimal(0))


def possibly_billed(batch: Batch) -> PossiblyBilled:
    """Those that a killed worker had under way among them, unless a worker has them under way."""
    held = batch.held_calls, batch.held_read, batch.held_given
    calls, read, given = (0, 0, 0) if batch.work and batch.work.state == Work.State.RUNNING else held
    calls, tokens = batch.lost_calls + calls, Tokens(written=batch.lost_read + read, given=batch.lost_given + given)
    cost = None
    if batch.price is not None:
        price = capabilities.Price.from_json(batch.price)
        cost = capabilities.bound_cost(price, tokens, calls=max(1, calls), is_batch=batch.is_batched)
    return PossiblyBilled(calls, tokens, cost)


def list_adaptations(batch: Batch) -> tuple[str, ...]:
    """How the calls differ from what was asked for, since the model does not take it, in words."""
    if not batch.capabilities:
        return ()
    kept = batch.parameters
    request = Request(
        model=kept["model"],
        fixed="",
        text="",
        most_tokens=1,
        temperature=kept.get("temperature"),
        schema={} if kept.get("is_structured") else None,
        is_reasoned=kept.get("form", AnswerForm.DIRECT) != AnswerForm.DIRECT,
        effort=kept.get("effort", ""),
        parameters=kept.get("sampling", {}),
    )
    return plan_call(request, Capabilities().restored(batch.capabilities)).notes


def describe_batch(batch: Batch, now: datetime) -> ShownBatch:
    states, causes = count_rows(batch)
    labels = [(str(Suggestion.State(state).label), count) for state, count in states.items()]
    progress = work_progress.measure_progress(batch.work, now) if batch.work else None
    return ShownBatch(batch, labels, causes, batch_cost(batch), progress)


def list_model_batches(collection: Collection, now: datetime) -> list[ShownBatch]:
    """The batches of questions to language models, the newest first."""
    asked = Batch.objects.filter(collection=collection, prompt__isnull=False, rater__isnull=False).order_by("-pk")
    return [describe_batch(batch, now) for batch in asked.select_related("work", "rater", "prompt")]


def list_batches(collection: Collection, purpose: str, now: datetime) -> list[ShownBatch]:
    """The batches of one kind of texts, the newest first."""
    asked = Batch.objects.filter(collection=collection, purpose=purpose).order_by("-pk")
    return [describe_batch(batch, now) for batch in asked.select_related("work", "prompt")]


def count_rows(batch: Batch) -> tuple[dict[str, int], list[tuple[str, int]]]:
    """How many rows are in each state, in the order of the states; and why rows have no answer, the most frequent cause
    first."""
    states, causes = Counter[str](), Counter[str]()
    for state, cause, count in _rows(batch).values_list("state", "cause").annotate(count=Count("pk")):
        states[state] += count
        causes[cause] += count
    del causes[""]
    in_order = {state.value: states[state] for state in Suggestion.State if state in states}
    return in_order, sorted(causes.items(), key=lambda cause: (-cause[1], cause[0]))


def count_states(batch: Batch) -> dict[str, int]:
    """How many rows are in each state, in the order of the states."""
    return count_rows(batch)[0]


def select_asked(collection: Collection) -> QuerySet[Batch]:
    """The batches of a collection that work was queued for."""
    return Batch.objects.filter(collection=collection, work__isnull=False).select_related("work", "rater", "collection")


def batch_record(batch: Batch, now: datetime) -> dict[str, Any]:
    """For programs. `state` and `error` are of its newest work."""
    lost, work = possibly_billed(batch), required(batch.work)
    states, causes = count_rows(batch)
    return {
        "batch": batch.pk,
        "purpose": batch.purpose,
        "name": name_batch(batch),
        "state": work.state,
        "error": work.error,
        "waits_for": work_progress.explain_waiting(work, now),
        "is_cancelled": batch.cancelled_at is not None,
        "is_batched": batch.is_batched,
        "budget": None if batch.budget is None else str(batch.budget),
        "budget_tokens": batch.budget_tokens,
        "states": states,
        "causes": dict(causes),
        "messages": batch.messages,
        "adapted": list_adaptations(batch),
        "model_versions": batch.model_versions,
        "calls": batch.calls,
        "tokens": asdict(count_tokens(batch)),
        "cost": None if (paid := batch_cost(batch)) is None else str(paid),
        "possibly_billed": {"calls": lost.calls, "cost": None if lost.cost is None else str(lost.cost)},
        "away": _describe_away(batch),
    }


def _describe_away(batch: Batch) -> dict[str, object] | None:
    """Since when the service has answered nothing, and when it is asked again; None while it answers."""
    if batch.away_since is None:
        return None
    again = batch.work.not_before if batch.work else None
    return {
        "since": batch.away_since.isoformat(),
        "cause": batch.away_cause,
        "tries": batch.away_tries,
        "next_try": again and again.isoformat(),
    }


def _rows(batch: Batch) -> QuerySet[Suggestion] | QuerySet[Generation] | QuerySet[ProbeAnswer]:
    if batch.purpose == Batch.Purpose.PROBE:
        return ProbeAnswer.objects.filter(batch=batch)
    return (Generation if batch.purpose in OF_TEXTS else Suggestion).objects.filter(batch=batch)

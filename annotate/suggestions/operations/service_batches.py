"""A batch by the service's own batches: handed in in chunks, looked at with growing pauses, stored by our own ids.

The service's ids are rows, so a restart goes on looking. A kill between handing in and writing the id down loses one
chunk: the calls in flight.
"""

import asyncio
import itertools
import random
from collections.abc import Coroutine, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotate.llm import concurrent_requests, providers, service_faults
from annotate.llm.messages import Reply, Request
from annotate.llm.provider import BatchClient, BatchState
from annotate.llm.service_faults import Fault
from annotate.models import Batch, ServiceBatch, Suggestion, Work
from annotate.suggestions.operations import asking, calls, storing_answers
from annotate.suggestions.operations.budget import EMPTY, Budget
from annotate.suggestions.operations.storing_answers import Came
from annotate.suggestions.queries import asked_pairs
from annotate.suggestions.queries.asked_pairs import Texts
from annotate.work.kinds import CannotGoOn, Step

State = Suggestion.State
CHUNK = 1000
STORED_AT_ONCE = 200
LOST = "no result under our id"


def run(batch: Batch, work: Work) -> Iterator[Step]:
    """Hand in what waits, look, store, and hand in again what expired or failed, until nothing is open."""
    if batch.cancelled_at:
        _cancel(batch)
    while True:
        if not batch.cancelled_at:
            yield from _hand_in(batch)
        open_ones = list(ServiceBatch.objects.filter(batch=batch, ended_at=None).order_by("next_look_at"))
        if not open_ones:
            return
        for one in open_ones:
            if one.next_look_at <= timezone.now():
                yield from _look(batch, work, one)
        if _is_waiting(batch):
            next_look = ServiceBatch.objects.filter(batch=batch, ended_at=None).earliest("next_look_at").next_look_at
            yield _step(batch, not_before=next_look)


def _cancel(batch: Batch) -> None:
    """Ask the service for no more answers; what was answered already is stored."""
    for one in ServiceBatch.objects.filter(batch=batch, ended_at=None):
        _with_service(batch, lambda service, service_id=one.service_id: service.cancel(service_id))


def _hand_in(batch: Batch) -> Iterator[Step]:
    texts, purse = Texts.of_batch(batch), Budget(batch)
    if batch.budget is not None:
        for row in asked_pairs.to_ask(batch, State.SUBMITTED):
            purse.hold(row.pk, texts.request(row))
    waiting = asked_pairs.to_ask(batch, State.QUEUED)
    while chunk := list(itertools.islice(waiting, CHUNK)):
        asked = [(row, texts.request(row)) for row in chunk]
        payable = list(itertools.takewhile(lambda one: purse.may_pay(one[0].pk, one[1]), asked))
        if payable:
            entries = [(_name(row), request) for row, request in payable]
            _keep(batch, _submitted(batch, entries), [row for row, _ in payable])
            yield _step(batch)
        if purse.is_empty:
            if not ServiceBatch.objects.filter(batch=batch, ended_at=None).exists():
                raise CannotGoOn(EMPTY)
            return


def _submitted(batch: Batch, entries: list[tuple[str, Request]]) -> str:
    return _with_service(batch, lambda service: service.submit(entries))


@transaction.atomic
def _keep(batch: Batch, service_id: str, rows: list[Suggestion]) -> None:
    """Write down what was handed in. Who cancelled meanwhile knew nothing of it: that is cancelled again."""
    now = timezone.now()
    is_cancelled = _is_cancelled(batch)
    kept = ServiceBatch.objects.create(
        batch=batch,
        service_id=service_id,
        requests=len(rows),
        submitted_at=now,
        next_look_at=now + timedelta(seconds=concurrent_requests.poll_seconds(0)),
    )
    Suggestion.objects.filter(pk__in=[row.pk for row in rows]).update(state=State.SUBMITTED, service_batch=kept)
    if is_cancelled:
        asking.cancel(batch=batch, by=None, now=now)


def _is_cancelled(batch: Batch) -> bool:
    """Whether it is by now; whoever cancels it waits until this transaction has ended."""
    return Batch.objects.select_for_update(of=("self",), no_key=True).get(pk=batch.pk).cancelled_at is not None


def _look(batch: Batch, work: Work, one: ServiceBatch) -> Iterator[Step]:
    state: BatchState = _with_service(batch, lambda service: service.look(one.service_id))
    if not state.is_over:
        one.looks += 1
        one.next_look_at = timezone.now() + timedelta(seconds=concurrent_requests.poll_seconds(one.looks))
        one.save(update_fields=["looks", "next_look_at"])
        return
    found = dict(reversed(_with_service(batch, lambda service: _fetched(service, one.service_id))))
    rows = asked_pairs.to_ask(batch, State.SUBMITTED)
    mine = (row for row in rows if row.service_batch_id == one.pk)
    while part := list(itertools.islice(mine, STORED_AT_ONCE)):
        _store(batch, work, part, found)
        yield _step(batch)
    ServiceBatch.objects.filter(pk=one.pk).update(ended_at=timezone.now())


async def _fetched(service: BatchClient, service_id: str) -> list[tuple[str, Reply | Fault]]:
    return [entry async for entry in service.results(service_id)]


def _store(batch: Batch, work: Work, rows: list[Suggestion], found: dict[str, Reply | Fault]) -> None:
    """Final states for what has one; what expired, failed or is missing waits again while attempts are left."""
    again, settled = [], []
    for row in rows:
        outcome = found.get(_name(row), service_faults.Passing(LOST))
        if isinstance(outcome, service_faults.Passing) and row.attempts + 1 < concurrent_requests.MOST_ATTEMPTS:
            row.attempts, row.service_batch = row.attempts + 1, None
            again.append(row)
        else:
            settled.append(Came(row, outcome, 1))
    storing_answers.store(batch=batch, work=work, came=settled, now=timezone.now())
    _ask_again(batch, again)


@transaction.atomic
def _ask_again(batch: Batch, rows: list[Suggestion]) -> None:
    """By another chunk, unless somebody cancelled meanwhile. After the others: the lease is ours, then."""
    state = State.CANCELLED if _is_cancelled(batch) else State.QUEUED
    for row in rows:
        row.state = state
    Suggestion.objects.bulk_update(rows, ["attempts", "state", "service_batch"])


def _is_waiting(batch: Batch) -> bool:
    return Suggestion.objects.filter(batch=batch, state=State.SUBMITTED).exists()


def _step(batch: Batch, not_before: datetime | None = None) -> Step:
    return Step(*storing_answers.progress(batch), cursor=calls.LINED_UP, not_before=not_before)


def _name(row: Suggestion) -> str:
    return f"suggestion-{row.pk}"


def _with_service(batch: Batch, ask: Any) -> Any:
    """One call to the service, asked again while that helps. Raises CannotGoOn where the service takes nothing."""

    async def call() -> Any:
        service = providers.find_provider(batch.judge).open_batch_client()
        try:
            return await _patiently(lambda: ask(service))
        finally:
            await service.close()

    try:
        return concurrent_requests.run_coroutine(call())
    except Fault as fault:
        raise CannotGoOn(f"{batch.judge} takes no batches: {fault}. What was answered is kept.") from fault


async def _patiently(call: Any) -> Any:
    chance = random.Random()
    for attempt in itertools.count(1):
        coroutine: Coroutine[Any, Any, Any] = call()
        try:
            return await coroutine
        except service_faults.Passing as fault:
            if attempt == concurrent_requests.MOST_ATTEMPTS:
                raise
            await asyncio.sleep(concurrent_requests.backoff_seconds(attempt, fault.after, chance))

"""A batch by the service's own batches: handed in in chunks, looked at with growing pauses, stored by our own ids.

The service's ids are rows, so a restart goes on looking. A kill between handing in and writing the id down loses one
chunk: the calls in flight.
"""

import asyncio
import functools
import itertools
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.llm import concurrent_requests, providers
from annotate.llm.capabilities import Capabilities, adapt_to_refusal, with_room
from annotate.llm.messages import Reply, Request
from annotate.llm.providers import BatchClient, Fault, Unsupported
from annotate.models import Batch, ServiceBatch, Suggestion, User, Work
from annotate.suggestions.operations import calls
from annotate.suggestions.operations.calls import Budget, Came
from annotate.suggestions.purposes.grades import Grades
from annotate.suggestions.purposes.purpose import LINED_UP
from annotate.work.queue import CannotGoOn, Step

T = TypeVar("T")
State = Suggestion.State
CHUNK = 1000
STORED_AT_ONCE = 200
LOST = "no result under our id"
ROOM_LOOKS = 8  # the pause of so many looks passes before a chunk is handed in again that there was no room for


class Cancel(Protocol):
    def __call__(self, *, batch: Batch, by: User | None, now: datetime) -> None: ...


def run(purpose: Grades, work: Work, cancel: Cancel) -> Iterator[Step]:
    """Hand in what waits, look, store, and hand in again what expired or failed, until nothing is open."""
    batch = purpose.batch
    if batch.cancelled_at:
        _cancel_at_service(batch)
    elif not batch.capabilities:
        capabilities = _list_capabilities(purpose)
        if not capabilities.has_batches:
            raise CannotGoOn(f"{batch.judge} takes no batches for {batch.parameters['model']}: ask without them.")
        _keep_capabilities(batch, capabilities)
    while True:
        if not batch.cancelled_at:
            yield from _hand_in(purpose, cancel)
        if not (open_ones := list(_open(batch).order_by("next_look_at"))):
            return
        for one in open_ones:
            if one.next_look_at <= timezone.now():
                yield from _look(purpose, work, one)
        if purpose.rows.filter(state=State.SUBMITTED).exists():
            yield _step(purpose, not_before=_open(batch).earliest("next_look_at").next_look_at)


def _open(batch: Batch) -> QuerySet[ServiceBatch]:
    return ServiceBatch.objects.filter(batch=batch, ended_at=None)


def _cancel_at_service(batch: Batch) -> None:
    """Ask the service for no more answers; what was answered already is stored."""
    for service_id in _open(batch).values_list("service_id", flat=True):
        _with_service(batch, functools.partial(_cancel, service_id=service_id))


async def _cancel(service: BatchClient, service_id: str) -> None:
    await service.cancel(service_id)


async def _submit(service: BatchClient, entries: Sequence[tuple[str, Request]], capabilities: Capabilities) -> str:
    return await service.submit(entries, capabilities)


def _list_capabilities(purpose: Grades) -> Capabilities:
    """What the service says of the model, before anything is handed in."""
    batch = purpose.batch

    async def call() -> Capabilities:
        client = providers.find_provider(batch.judge).open_client()
        try:
            return await client.list_capabilities(batch.parameters["model"], purpose.capabilities)
        finally:
            await client.close()

    return concurrent_requests.run_coroutine(call())


def _keep_capabilities(batch: Batch, capabilities: Capabilities) -> None:
    batch.capabilities = capabilities.as_json()
    Batch.objects.filter(pk=batch.pk).update(capabilities=batch.capabilities)


def _hand_in(purpose: Grades, cancel: Cancel) -> Iterator[Step]:
    capabilities = purpose.capabilities
    batch, budget = purpose.batch, Budget(purpose.batch, lambda: capabilities)
    if batch.budget is not None or batch.budget_tokens is not None:
        for row in purpose.open_rows(State.SUBMITTED):
            budget.hold(row.pk, purpose.message(row))
    waiting = purpose.open_rows(State.QUEUED)
    if batch.most_handed_in and _open(batch).exists():
        return
    while chunk := list(itertools.islice(waiting, batch.most_handed_in or CHUNK)):
        messages = [(row, purpose.message(row)) for row in chunk]
        payable = list(itertools.takewhile(lambda one: budget.may_pay(one[0].pk, one[1]), messages))
        if payable:
            entries = [(_name(row), message) for row, message in payable]
            service_id = _with_service(batch, functools.partial(_submit, entries=entries, capabilities=capabilities))
            _keep(batch, service_id, [row for row, _ in payable], cancel)
            yield _step(purpose)
        if batch.most_handed_in and payable:
            return
        if budget.is_empty:
            if not _open(batch).exists():
                raise CannotGoOn(calls.EMPTY)
            return


@transaction.atomic
def _keep(batch: Batch, service_id: str, rows: Sequence[Suggestion], cancel: Cancel) -> None:
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
        cancel(batch=batch, by=None, now=now)


def _is_cancelled(batch: Batch) -> bool:
    """Whether it is by now; whoever cancels it waits until this transaction has ended."""
    return Batch.objects.select_for_update(of=("self",), no_key=True).get(pk=batch.pk).cancelled_at is not None


def _look(purpose: Grades, work: Work, one: ServiceBatch) -> Iterator[Step]:
    state = _with_service(purpose.batch, lambda service: service.look(one.service_id))
    if not state.is_over:
        one.looks += 1
        one.next_look_at = timezone.now() + timedelta(seconds=concurrent_requests.poll_seconds(one.looks))
        one.save(update_fields=["looks", "next_look_at"])
        return
    if isinstance(state.fault, providers.Passing):
        yield from _wait_for_room(purpose, one, state.fault)
        return
    if state.fault:
        results: dict[str, Reply | Fault] = {_name(row): state.fault for row in purpose.rows.filter(service_batch=one)}
    else:
        results = dict(reversed(_with_service(purpose.batch, lambda service: _fetch(service, one.service_id))))
    mine = (row for row in purpose.open_rows(State.SUBMITTED) if row.service_batch_id == one.pk)
    while part := list(itertools.islice(mine, STORED_AT_ONCE)):
        _store(purpose, work, part, results)
        yield _step(purpose)
    ServiceBatch.objects.filter(pk=one.pk).update(ended_at=timezone.now())


def _wait_for_room(purpose: Grades, one: ServiceBatch, fault: Fault) -> Iterator[Step]:
    """The service took a chunk and then had no room for it: nothing of it was asked. From now on one chunk at a time is
    handed in, and half of one for which there was no room alone. Raises CannotGoOn where it was a single request."""
    batch, now = purpose.batch, timezone.now()
    _ask_again(batch, [row for row in purpose.open_rows(State.SUBMITTED) if row.service_batch_id == one.pk])
    ServiceBatch.objects.filter(pk=one.pk).update(ended_at=now)
    is_alone = not _open(batch).exists()
    batch.most_handed_in = one.requests // 2 if is_alone else batch.most_handed_in or CHUNK
    Batch.objects.filter(pk=batch.pk).update(most_handed_in=batch.most_handed_in)
    if not batch.most_handed_in:
        raise CannotGoOn(f"{batch.judge} takes no batches: {fault}. What was answered is kept.")
    yield _step(purpose, not_before=now + timedelta(seconds=concurrent_requests.poll_seconds(ROOM_LOOKS)))


async def _fetch(service: BatchClient, service_id: str) -> list[tuple[str, Reply | Fault]]:
    return [entry async for entry in service.results(service_id)]


def _store(purpose: Grades, work: Work, rows: Sequence[Suggestion], results: dict[str, Reply | Fault]) -> None:
    """Final states for what has one; what expired, failed or is missing waits again while attempts are left."""
    again, settled = [], []
    for row in rows:
        outcome = results.get(_name(row), providers.Passing(LOST))
        is_worth_it = isinstance(outcome, providers.Passing) or _adapt(purpose, outcome)
        if is_worth_it and row.attempts + 1 < concurrent_requests.MOST_ATTEMPTS:
            row.attempts, row.service_batch = row.attempts + 1, None
            again.append(row)
        else:
            settled.append(Came(row, outcome, 1))
    calls.store(purpose=purpose, work=work, came=settled, now=timezone.now())
    if any(one.row.cause == calls.CUT for one in settled):
        _keep_capabilities(purpose.batch, with_room(purpose.capabilities))
    _ask_again(purpose.batch, again)


def _adapt(purpose: Grades, outcome: Reply | Fault) -> bool:
    """Whether a parameter was refused that the next chunk does without; chunks that were handed in before are refused
    for it too."""
    if not isinstance(outcome, Unsupported):
        return False
    known = purpose.capabilities
    adapted = adapt_to_refusal(known, outcome.parameter, str(outcome))
    if adapted is not None and adapted != known:
        _keep_capabilities(purpose.batch, adapted)
    return adapted is not None


@transaction.atomic
def _ask_again(batch: Batch, rows: Sequence[Suggestion]) -> None:
    """By another chunk, unless somebody cancelled meanwhile. After the others: the lease is ours, then."""
    state = State.CANCELLED if _is_cancelled(batch) else State.QUEUED
    for row in rows:
        row.state = state
    Suggestion.objects.bulk_update(rows, ["attempts", "state", "service_batch"])


def _step(purpose: Grades, not_before: datetime | None = None) -> Step:
    return Step(*purpose.progress(), cursor=LINED_UP, not_before=not_before)


def _name(row: Suggestion) -> str:
    return f"suggestion-{row.pk}"


def _with_service(batch: Batch, ask: Callable[[BatchClient], Awaitable[T]]) -> T:
    """One call to the service, asked again while that helps. Raises CannotGoOn where the service takes nothing."""

    async def call() -> T:
        service = providers.find_provider(batch.judge).open_batch_client()
        try:
            return await _patiently(lambda: ask(service))
        finally:
            await service.close()

    try:
        return concurrent_requests.run_coroutine(call())
    except Fault as fault:
        raise CannotGoOn(f"{batch.judge} takes no batches: {fault}. What was answered is kept.") from fault


async def _patiently(call: Callable[[], Awaitable[T]]) -> T:
    chance = random.Random()
    for attempt in itertools.count(1):
        try:
            return await call()
        except providers.Passing as fault:
            if attempt == concurrent_requests.MOST_ATTEMPTS:
                raise
            await asyncio.sleep(concurrent_requests.backoff_seconds(attempt, fault.after, chance))
    raise AssertionError("unreachable")

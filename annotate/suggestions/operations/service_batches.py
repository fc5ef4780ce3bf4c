"""A batch by the service's own batches: handed in in chunks, looked at with growing pauses, stored by our own ids.

What has to be asked again, such as the next round of a text, is another chunk. The row of a chunk is there before it is
handed in, and the service's id goes into it. Where that answer is lost, by a kill or on the way, the chunk is looked
for in the service's list, by the token in its ids, and never handed in blindly again.
"""

import asyncio
import functools
import itertools
import random
import uuid
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.llm import capabilities as llm_capabilities
from annotate.llm import concurrent_requests, providers
from annotate.llm.capabilities import Capabilities, adapt_to_refusal, with_room
from annotate.llm.messages import Reply, Request
from annotate.llm.providers import BatchClient, Fault, ListedBatch, Missing, Passing, Unsupported
from annotate.models import Answer, Batch, ServiceBatch, User, Work
from annotate.suggestions.operations import calls, outages, spending
from annotate.suggestions.operations.calls import Came
from annotate.suggestions.operations.spending import Bound, Budget
from annotate.suggestions.purposes.purpose import LINED_UP, Row, ServicePurpose
from annotate.work.queue import CannotGoOn, Step

T = TypeVar("T")
State = Answer.State
CHUNK = 1000
STORED_AT_ONCE = 200
LOST = "no result under our id"
ROOM_LOOKS = 8  # the pause of so many looks passes before a chunk is handed in again that there was no room for
MOST_LOOKS_IN_LIST = 6  # over a minute: a new batch may come late into the list
MOST_MISSING = 10  # looks in a row at which the service does not know a batch
CLOCKS = timedelta(minutes=10)  # that the service's clock may be behind


class Cancel(Protocol):
    def __call__(self, *, batch: Batch, by: User | None, now: datetime) -> None: ...


def run(purpose: ServicePurpose[Row], work: Work, cancel: Cancel) -> Iterator[Step]:
    """Hand in what waits, look, store, and hand in again what expired or failed, until nothing is open. While the
    service is away the batch waits."""
    batch = purpose.batch
    if batch.cancelled_at:
        _cancel_at_service(batch)
    elif not batch.capabilities:
        capabilities = _list_capabilities(purpose)
        if not capabilities.has_batches:
            raise CannotGoOn(f"{batch.judge} takes no batches for {batch.parameters['model']}: ask without them.")
        _keep_capabilities(batch, capabilities)
    while True:
        try:
            if not batch.cancelled_at:
                yield from _hand_in(purpose, cancel)
            if not (open_ones := list(_open(batch).order_by("next_look_at"))):
                return
            for one in open_ones:
                if one.next_look_at <= timezone.now():
                    yield from _look(purpose, work, one) if one.service_id else _find(purpose, one, cancel)
        except Passing as fault:
            until = outages.wait(batch, fault, timezone.now())
            yield _step(purpose, not_before=until, note=outages.describe(batch))
            continue
        if purpose.rows.filter(state=State.SUBMITTED).exists():
            yield _step(purpose, not_before=_open(batch).earliest("next_look_at").next_look_at)


def _open(batch: Batch) -> QuerySet[ServiceBatch]:
    return ServiceBatch.objects.filter(batch=batch, ended_at=None)


def _cancel_at_service(batch: Batch) -> None:
    """Ask the service for no more answers; what was answered already is stored."""
    for service_id in _open(batch).exclude(service_id="").values_list("service_id", flat=True):
        _with_service(batch, functools.partial(_cancel, service_id=service_id))


async def _cancel(service: BatchClient, service_id: str) -> None:
    with suppress(providers.Rejected, Missing):  # it has ended meanwhile: its results tell
        await service.cancel(service_id)


def _list_capabilities(purpose: ServicePurpose[Row]) -> Capabilities:
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


def _hand_in(purpose: ServicePurpose[Row], cancel: Cancel) -> Iterator[Step]:
    batch, capabilities = purpose.batch, purpose.capabilities
    if _open(batch).filter(service_id="").exists():
        return  # first it has to be known whether these are with the service
    budget = Budget(batch)
    if batch.budget is not None or batch.budget_tokens is not None:
        for row in purpose.open_rows(State.SUBMITTED):
            budget.hold(row.pk, purpose.message(row), capabilities)
    waiting = purpose.open_rows(State.QUEUED)
    if batch.most_handed_in and _open(batch).exists():
        return
    while chunk := list(itertools.islice(waiting, batch.most_handed_in or CHUNK)):
        messages = [(row, purpose.message(row)) for row in chunk]
        payable = list(itertools.takewhile(lambda one: budget.may_pay(one[0].pk, one[1], capabilities), messages))
        if payable:
            one = _prepare(purpose, [row for row, _ in payable])
            if one is None or not (service_id := _submit(purpose, one, payable, capabilities)):
                return  # cancelled; or it may be there: then it is looked for
            _keep(batch, one, service_id, cancel)
            yield _step(purpose)
        if batch.most_handed_in and payable:
            return
        if budget.is_empty:
            if not _open(batch).exists():
                raise CannotGoOn(calls.EMPTY)
            return


def _submit(
    purpose: ServicePurpose[Row], one: ServiceBatch, messages: Sequence[tuple[Row, Request]], capabilities: Capabilities
) -> str:
    """The service's id; empty where it is not known whether it took them. Raises Passing and CannotGoOn where it took
    nothing."""
    entries = [(_name(row, one.token), message) for row, message in messages]
    try:
        return _with_service(
            purpose.batch, lambda service: service.submit(entries, capabilities, one.token), is_paid=True
        )
    except (CannotGoOn, Passing) as fault:
        if isinstance(fault, Passing) and not calls.is_surely_not_taken(fault):
            one.was_refused = fault.cause.startswith("server fault")
            one.save(update_fields=["was_refused"])
            return ""
        _ask_again(purpose, one, [row for row, _ in messages])
        one.delete()
        raise


@transaction.atomic
def _prepare(purpose: ServicePurpose[Row], rows: Sequence[Row]) -> ServiceBatch | None:
    """Write down what is about to be handed in; None where somebody cancelled meanwhile."""
    if _is_cancelled(purpose.batch):
        return None
    now = timezone.now()
    one = ServiceBatch.objects.create(
        batch=purpose.batch, token=uuid.uuid4().hex[:12], requests=len(rows), submitted_at=now, next_look_at=now
    )
    purpose.rows.filter(pk__in=[row.pk for row in rows]).update(state=State.SUBMITTED, service_batch=one)
    return one


@transaction.atomic
def _keep(batch: Batch, one: ServiceBatch, service_id: str, cancel: Cancel) -> None:
    """Write down the service's id. Who cancelled meanwhile knew nothing of it: that is cancelled again."""
    now = timezone.now()
    is_cancelled = _is_cancelled(batch)
    one.service_id, one.looks = service_id, 0
    one.next_look_at = now + timedelta(seconds=concurrent_requests.poll_seconds(0))
    one.save(update_fields=["service_id", "looks", "next_look_at"])
    if is_cancelled:
        cancel(batch=batch, by=None, now=now)


def _find(purpose: ServicePurpose[Row], one: ServiceBatch, cancel: Cancel) -> Iterator[Step]:
    """Look for a chunk whose id was never learned in the service's list; it has as many requests, and our token in
    their ids. Where it is not there and the service had said that it failed, it is handed in again. Raises CannotGoOn
    where no answer came at all: then only a person can say that it shall be handed in again."""
    batch = purpose.batch
    listed = _with_service(batch, lambda service: service.list_batches(one.submitted_at - CLOCKS))
    known = set(ServiceBatch.objects.filter(batch__judge=batch.judge).values_list("service_id", flat=True))
    alike = [other for other in listed if other.id not in known and other.requests == one.requests]
    found = {other.id: _is_ours(batch, other, one.token) for other in alike}
    if ours := next((service_id for service_id, is_ours in found.items() if is_ours), ""):
        _keep(batch, one, ours, cancel)
        yield _step(purpose)
        return
    if None in found.values() or one.looks < MOST_LOOKS_IN_LIST:
        _look_later(one)
        return
    if one.was_refused:
        _ask_again(purpose, one, _rows_of(purpose, one))
        one.delete()
        return
    _give_up(purpose, one)
    if not batch.cancelled_at:
        raise CannotGoOn(
            f"{batch.judge} was handed {one.requests:,} requests and its answer was lost; its list of batches does not "
            "have them. They were not handed in again, and count as possibly billed. Resume the batch to hand them in."
        )


def _is_ours(batch: Batch, listed: ListedBatch, token: str) -> bool | None:
    """None while the service does not tell: it notes nothing of ours on the batch, and shows ids of requests only with
    their results."""
    if listed.token is not None:
        return listed.token == token
    if not listed.is_over:
        return None

    async def read_first(service: BatchClient) -> bool:
        async for name, _ in service.results(listed.id):
            return name.endswith(f"-{token}")
        return False

    try:
        return _with_service(batch, read_first)
    except Missing:
        return None


def _look_later(one: ServiceBatch) -> None:
    one.looks += 1
    one.next_look_at = timezone.now() + timedelta(seconds=concurrent_requests.poll_seconds(one.looks))
    one.save(update_fields=["looks", "missing", "next_look_at"])


@transaction.atomic
def _give_up(purpose: ServicePurpose[Row], one: ServiceBatch) -> None:
    """What became of a chunk is not known: its requests wait again, and count as possibly billed."""
    purpose.lock()
    rows = _rows_of(purpose, one)
    tokens = (llm_capabilities.bound_tokens(purpose.message(row), purpose.capabilities) for row in rows)
    lost = sum((Bound(1, each) for each in tokens), Bound())
    Batch.objects.filter(pk=purpose.batch.pk).update(**spending.changes(purpose.batch, [], lost))
    _ask_again(purpose, one, rows)
    one.delete()


def _rows_of(purpose: ServicePurpose[Row], one: ServiceBatch) -> list[Row]:
    """Those of a chunk whose results are not stored."""
    mine = set(purpose.rows.filter(service_batch=one, state=State.SUBMITTED).values_list("pk", flat=True))
    return [row for row in purpose.open_rows(State.SUBMITTED) if row.pk in mine]


def _is_cancelled(batch: Batch) -> bool:
    """Whether it is by now; whoever cancels it waits until this transaction has ended."""
    return Batch.objects.select_for_update(of=("self",), no_key=True).get(pk=batch.pk).cancelled_at is not None


def _look(purpose: ServicePurpose[Row], work: Work, one: ServiceBatch) -> Iterator[Step]:
    batch = purpose.batch
    try:
        state = _with_service(batch, lambda service: service.look(one.service_id))
        results: dict[str, Reply | Fault] = {}
        if state.is_over and not state.fault:
            results = dict(reversed(_with_service(batch, lambda service: _fetch(service, one.service_id))))
    except Missing as fault:
        # Services say so of a batch that is there, for some moments after it was handed in, and after it has ended.
        one.missing += 1
        if one.missing < MOST_MISSING:
            _look_later(one)
            return
        _give_up(purpose, one)
        if batch.cancelled_at:
            return
        raise CannotGoOn(
            f"{batch.judge} does not know its batch {one.service_id} any more: {fault}. Its {one.requests:,} requests "
            "count as possibly billed. Resume the batch to hand them in again."
        ) from fault
    one.missing = 0
    if not state.is_over:
        _look_later(one)
        return
    if isinstance(state.fault, Passing):
        yield from _wait_for_room(purpose, one, state.fault)
        return
    rows = _rows_of(purpose, one)
    if state.fault:
        results = {_name(row, one.token): state.fault for row in rows}
    waiting = iter(rows)
    while part := list(itertools.islice(waiting, STORED_AT_ONCE)):
        _store(purpose, work, one, part, results)
        yield _step(purpose)
    ServiceBatch.objects.filter(pk=one.pk).update(ended_at=timezone.now())


def _wait_for_room(purpose: ServicePurpose[Row], one: ServiceBatch, fault: Fault) -> Iterator[Step]:
    """The service took a chunk and then had no room for it: nothing of it was asked. From now on one chunk at a time is
    handed in, and half of one for which there was no room alone. Raises CannotGoOn where it was a single request."""
    batch, now = purpose.batch, timezone.now()
    _ask_again(purpose, one, _rows_of(purpose, one))
    ServiceBatch.objects.filter(pk=one.pk).update(ended_at=now)
    is_alone = not _open(batch).exists()
    batch.most_handed_in = one.requests // 2 if is_alone else batch.most_handed_in or CHUNK
    Batch.objects.filter(pk=batch.pk).update(most_handed_in=batch.most_handed_in)
    if not batch.most_handed_in:
        raise CannotGoOn(f"{batch.judge} takes no batches: {fault}. What was answered is kept.")
    yield _step(purpose, not_before=now + timedelta(seconds=concurrent_requests.poll_seconds(ROOM_LOOKS)))


async def _fetch(service: BatchClient, service_id: str) -> list[tuple[str, Reply | Fault]]:
    return [entry async for entry in service.results(service_id)]


def _store(
    purpose: ServicePurpose[Row], work: Work, one: ServiceBatch, rows: Sequence[Row], results: dict[str, Reply | Fault]
) -> None:
    """Final states for what has one; what expired, failed or is missing waits again while attempts are left."""
    came = []
    for row in rows:
        outcome = results.get(_name(row, one.token)) or Passing(LOST, may_be_billed=True)
        lost = Bound()
        if not isinstance(outcome, Reply) and outcome.may_be_billed:
            lost = Bound(1, llm_capabilities.bound_tokens(purpose.message(row), purpose.capabilities))
        is_worth_it = isinstance(outcome, Passing) or _adapt(purpose, outcome)
        is_asked_again = is_worth_it and purpose.count_failures(row) + 1 < concurrent_requests.MOST_ATTEMPTS
        came.append(Came(row, outcome, 1, lost, is_asked_again=is_asked_again))
    with transaction.atomic():
        calls.store(purpose=purpose, work=work, came=came, now=timezone.now())
        _ask_again(purpose, one, [each.row for each in came if each.is_asked_again])
    if any(each.row.cause == calls.CUT for each in came):
        _keep_capabilities(purpose.batch, with_room(purpose.capabilities))


def _adapt(purpose: ServicePurpose[Row], outcome: Reply | Fault) -> bool:
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
def _ask_again(purpose: ServicePurpose[Row], one: ServiceBatch, rows: Sequence[Row]) -> None:
    """By another chunk, unless somebody cancelled meanwhile."""
    purpose.lock()
    mine = purpose.rows.filter(pk__in=[row.pk for row in rows], service_batch=one, state=State.SUBMITTED)
    mine.update(state=State.QUEUED)
    if _is_cancelled(purpose.batch):
        purpose.close(timezone.now())


def _step(purpose: ServicePurpose[Row], not_before: datetime | None = None, note: str = "") -> Step:
    note = note or ("waiting for the Batch API" if not_before else "asking")
    return Step(*purpose.progress(), cursor=LINED_UP, note=note, not_before=not_before)


def _name(row: Answer, token: str) -> str:
    """Our id of a request; services take 64 letters, digits and hyphens."""
    name = f"{type(row).__name__.lower()}-{row.pk}"
    return f"{name}-{token}" if token else name  # chunks of earlier versions have none


def _with_service(batch: Batch, ask: Callable[[BatchClient], Awaitable[T]], *, is_paid: bool = False) -> T:
    """One call to the service, asked again while that helps; one that is paid only where it was surely not taken.
    Raises Passing, Missing, and CannotGoOn where the service takes nothing."""

    async def call() -> T:
        service = providers.find_provider(batch.judge).open_batch_client()
        try:
            return await _patiently(lambda: ask(service), is_paid=is_paid)
        finally:
            await service.close()

    try:
        answer = concurrent_requests.run_coroutine(call())
    except (Passing, Missing) as fault:
        calls.keep_messages(batch, [fault])
        raise
    except Fault as fault:
        calls.keep_messages(batch, [fault])
        raise CannotGoOn(f"{batch.judge} takes no batches: {fault}. What was answered is kept.") from fault
    outages.end(batch)
    return answer


async def _patiently(call: Callable[[], Awaitable[T]], *, is_paid: bool) -> T:
    chance = random.Random()
    for attempt in itertools.count(1):
        try:
            return await call()
        except Passing as fault:
            if attempt == concurrent_requests.QUICK_ATTEMPTS or (is_paid and not calls.is_surely_not_taken(fault)):
                raise
            await asyncio.sleep(concurrent_requests.backoff_seconds(attempt, fault.after, chance))
    raise AssertionError("unreachable")

"""One loop over a service, whatever is asked: as many calls under way as are allowed, within the budget, each answer
stored with its cost before more is asked.

A killed worker loses the calls in flight: what was stored is stored with its cost, and the rows that wait say what they
have so far.
"""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Generic

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from annotate.grades import batches
from annotate.llm import capabilities as llm_capabilities
from annotate.llm import providers
from annotate.llm.capabilities import Capabilities, with_room
from annotate.llm.concurrent_requests import ConcurrentRequests
from annotate.llm.messages import Reply, Request, Stop, Tokens
from annotate.llm.providers import Closed, Fault, Rejected, storable
from annotate.models import Answer, Batch, Work
from annotate.suggestions.purposes.purpose import LINED_UP, Row, ServicePurpose
from annotate.work.queue import CannotGoOn, LeaseLost, Step

logger = logging.getLogger(__name__)

WAIT_SECONDS = 0.5
STEP_SECONDS = 0.25  # between two steps, each of which is a commit: calls that could start wait for it
LAST_ANSWERS_SECONDS = 20
MOST_REJECTIONS = 20  # in a row, with the same words
CUT = "cut off: asked again with more room"
EMPTY = "The budget is spent: ask again with a higher one to go on. What was answered is kept."


@dataclass(frozen=True)
class Came(Generic[Row]):
    """What came back for a row, after so many attempts."""

    row: Row
    outcome: Reply | Fault
    attempts: int


def run(purpose: ServicePurpose[Row], work: Work) -> Iterator[Step]:
    """Ask about the rows that wait until none does. Raises CannotGoOn where the service takes no calls or the budget is
    spent, and LeaseLost."""
    batch, (done, total), next_step = purpose.batch, purpose.progress(), 0.0
    with ConcurrentRequests(
        partial(providers.find_provider(batch.judge).open_client, batch.parameters.get("timeout", 0)),
        purpose.capabilities,
        model="" if batch.capabilities else batch.parameters["model"],
        per_minute=batch.parameters["per_minute"],
        seed=batch.pk,
    ) as requests:
        calls = _Calls(purpose, work, requests)
        try:
            while calls.ask_more():
                done += calls.take(WAIT_SECONDS)
                if time.monotonic() >= next_step or not requests.outstanding:
                    next_step = time.monotonic() + STEP_SECONDS
                    yield Step(min(done, total), total, cursor=LINED_UP)
        except GeneratorExit:
            # Paused or asked to leave: what is under way is paid, so its answers are waited for.
            calls.take_the_last()
            raise
    if why := calls.why_stopped or calls.why_all_rejected:
        raise CannotGoOn(why)


class _Calls(Generic[Row]):
    """The rows that wait and those under way. `why_stopped` is empty while nothing speaks against another call."""

    def __init__(self, purpose: ServicePurpose[Row], work: Work, requests: ConcurrentRequests) -> None:
        self._purpose, self._work, self._requests = purpose, work, requests
        self._budget = Budget(purpose.batch, lambda: requests.capabilities)
        self._rejections = _Rejections(purpose.batch.judge)
        self._kept: Capabilities | None = None
        self._fresh, self._again = purpose.open_rows(), deque[Row]()
        self._asked: dict[int, Row] = {}
        self.why_stopped = ""

    def ask_more(self) -> bool:
        """Ask what may be asked now; whether there is anything to wait for."""
        self._keep_capabilities()
        most = self._purpose.batch.parameters["concurrency"]
        while not self.why_stopped and self._requests.outstanding < most and (row := self._next()):
            message = self._purpose.message(row)
            if self._budget.may_pay(row.pk, message):
                self._asked[row.pk] = row
                self._requests.submit(row.pk, message)
            else:
                self.why_stopped = EMPTY
        return self._requests.outstanding > 0

    def take(self, wait_seconds: float) -> int:
        """Store the results that are there, after waiting for the first of them; how many rows are over with them."""
        results = self._requests.drain(wait_seconds)
        if not results:
            return 0
        came = [Came(self._asked.pop(result.name), result.outcome, result.attempts) for result in results]
        store(purpose=self._purpose, work=self._work, came=came, now=timezone.now())
        current = self._requests.capabilities
        if any(
            one.row.cause == CUT and result.capabilities is current for one, result in zip(came, results, strict=True)
        ):
            self._requests.capabilities = with_room(current)
        self._budget.settle([one.row.pk for one in came])
        for one in came:
            if isinstance(one.outcome, Closed):
                judge = self._purpose.batch.judge
                self.why_stopped = f"{judge} takes no calls: {one.outcome}. What was answered is kept."
            self.why_stopped = self.why_stopped or self._rejections.count(one.outcome)
        unfinished = [one.row for one in came if one.row.state == Answer.State.QUEUED]
        self._again.extend(unfinished)
        return len(came) - len(unfinished)

    @property
    def why_all_rejected(self) -> str:
        """The service's sentence where it rejected every call of this run; empty else."""
        return self._rejections.why_all

    def _keep_capabilities(self) -> None:
        """Store what the model takes, once it has turned out to be something else: the batch shows it and goes on with
        it."""
        if self._requests.capabilities is not self._kept:
            self._kept = self._requests.capabilities
            batch = self._purpose.batch
            batch.capabilities = self._kept.as_json()
            Batch.objects.filter(pk=batch.pk).update(capabilities=batch.capabilities)

    def take_the_last(self) -> None:
        before = None
        while self._requests.outstanding and self._requests.outstanding != before:
            before = self._requests.outstanding
            self.take(LAST_ANSWERS_SECONDS)

    def _next(self) -> Row | None:
        return self._again.popleft() if self._again else next(self._fresh, None)


class _Rejections:
    """Watches whether the service rejects call after call with the same words: then asking on is of no use."""

    def __init__(self, judge: str) -> None:
        self._judge = judge
        self._words, self._in_a_row = "", 0
        self._has_success = False

    def count(self, outcome: Reply | Fault) -> str:
        """Why to stop after this outcome; empty while nothing speaks for it."""
        if isinstance(outcome, Reply):
            self._words, self._in_a_row, self._has_success = "", 0, True
        elif isinstance(outcome, Rejected):
            words = str(outcome)
            self._in_a_row = self._in_a_row + 1 if words == self._words else 1
            self._words = words
        return self._sentence if self._in_a_row >= MOST_REJECTIONS and not self._has_success else ""

    @property
    def why_all(self) -> str:
        return self._sentence if self._words and not self._has_success else ""

    @property
    def _sentence(self) -> str:
        return f"{self._judge} rejects the calls: {self._words} What was answered is kept."


class Budget:
    """Holds back the most that each request under way can cost and use, until it is known what it did: nothing is asked
    that could pass the budgets of the batch, in US dollars and in tokens, whatever the answers turn out to be."""

    def __init__(self, batch: Batch, capabilities: Callable[[], Capabilities]) -> None:
        self._batch = batch
        self._capabilities = capabilities
        self._price = llm_capabilities.Price.from_json(batch.price) if batch.price else None
        self._held: dict[int, Tokens] = {}
        self.is_empty = False

    def may_pay(self, name: int, request: Request) -> bool:
        """Whether the request can be asked; if so, its bound is held back under its name."""
        if self._batch.budget is None and self._batch.budget_tokens is None:
            return True
        stored = Batch.objects.get(pk=self._batch.pk)
        most = [*self._held.values(), self._most(request)]
        spent, used = batches.batch_cost(stored) or Decimal(0), batches.count_tokens(stored).total
        dollars, tokens = self._batch.budget, self._batch.budget_tokens
        is_costly = dollars is not None and spent + sum(map(self._cost, most)) > dollars
        if is_costly or tokens is not None and used + sum(one.total for one in most) > tokens:
            self.is_empty = True
            return False
        self._held[name] = most[-1]
        return True

    def hold(self, name: int, request: Request) -> None:
        """Hold back the bound of a request that is under way already."""
        self._held[name] = self._most(request)

    def settle(self, names: list[int]) -> None:
        """What these requests cost is stored with the batch now."""
        for name in names:
            self._held.pop(name, None)

    def _most(self, request: Request) -> Tokens:
        return llm_capabilities.bound_tokens(request, self._capabilities())

    def _cost(self, tokens: Tokens) -> Decimal:
        if self._price is None:
            return Decimal(0)
        return llm_capabilities.bound_cost(self._price, tokens, is_batch=self._batch.is_batched)


@transaction.atomic
def store(*, purpose: ServicePurpose[Row], work: Work, came: Sequence[Came[Row]], now: datetime) -> None:
    """Rows get their final state, or wait to be asked again; one whose fault closes the batch stays as it is. Raises
    LeaseLost."""
    purpose.lock()
    if not Work.objects.select_for_update().filter(pk=work.pk, token=work.token).exists():
        raise LeaseLost
    settled = [one for one in came if not isinstance(one.outcome, Closed)]
    purpose.begin_storing([one.row for one in settled])
    for one in settled:
        one.row.attempts, one.row.created_at = one.row.attempts + one.attempts, now
        if not isinstance(one.outcome, Reply):
            purpose.fail(one.row, one.outcome, now)
        elif one.outcome.stop is Stop.LENGTH and one.row.cause != CUT:
            one.row.state, one.row.cause = Answer.State.QUEUED, CUT  # it is asked once more, with more room
        else:
            purpose.take(one.row, one.outcome, now)
    _write([one.row for one in settled], purpose.columns)
    _pay(purpose.batch, [one.outcome.tokens for one in settled if isinstance(one.outcome, Reply)])
    _keep_messages(purpose.batch, [one.outcome for one in came if isinstance(one.outcome, Fault)])


def _write(rows: Sequence[Answer], columns: Sequence[str]) -> None:
    """One prepared statement, run for each row: a save of each takes five times the processor time, and a bulk_update
    still more, which the calls that are under way need."""
    if not rows:
        return
    table = rows[0]._meta
    fields = [field for field in table.concrete_fields if field.name in columns]
    assignments = ", ".join(f"{field.column} = %s" for field in fields)
    values = [
        [*(field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields), row.pk] for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {table.db_table} SET {assignments} WHERE id = %s", values)


def _pay(batch: Batch, used: Sequence[Tokens]) -> None:
    """Move the batch's counts by these answers."""
    if not used:
        return
    Batch.objects.filter(pk=batch.pk).update(
        calls=F("calls") + len(used),
        tokens_fresh=F("tokens_fresh") + sum(tokens.fresh for tokens in used),
        tokens_cached=F("tokens_cached") + sum(tokens.cached for tokens in used),
        tokens_written=F("tokens_written") + sum(tokens.written for tokens in used),
        tokens_given=F("tokens_given") + sum(tokens.given for tokens in used),
        tokens_thought=F("tokens_thought") + sum(tokens.thought for tokens in used),
        surcharge=F("surcharge") + batches.sum_surcharges(batch, used),
    )


def _keep_messages(batch: Batch, faults: Sequence[Fault]) -> None:
    """Count faults by cause, and keep the service's words of the last of each. The batch is held by `store`."""
    if not faults:
        return
    kept = dict(Batch.objects.values_list("messages", flat=True).get(pk=batch.pk))
    for fault in faults:
        cause, words = storable(fault.cause), storable(str(fault))
        kept[cause] = {"count": kept.get(cause, {"count": 0})["count"] + 1, "message": words}
        logger.warning("batch %s: %s: %s", batch.pk, cause, words)
    Batch.objects.filter(pk=batch.pk).update(messages=kept)

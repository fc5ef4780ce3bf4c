"""One loop over a service, whatever is asked: as many calls under way as are allowed, within the budget, each answer
stored with its cost before more is asked.

What is under way is stored before it is sent, so a killed worker loses answers and no count of them. While the service
is away the batch waits, and the rows with it.
"""

import itertools
import logging
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Generic

from django.db import connection, transaction
from django.utils import timezone

from annotate.llm import providers
from annotate.llm.capabilities import Capabilities, with_room
from annotate.llm.concurrent_requests import MOST_ATTEMPTS, ConcurrentRequests, Result
from annotate.llm.messages import Reply, Request, Stop
from annotate.llm.providers import Closed, Fault, Passing, Rejected, storable
from annotate.models import Answer, Batch, Work
from annotate.suggestions.operations import outages, spending
from annotate.suggestions.operations.spending import Bound, Budget
from annotate.suggestions.purposes.purpose import LINED_UP, Row, ServicePurpose
from annotate.work.queue import CannotGoOn, LeaseLost, Step

logger = logging.getLogger(__name__)

WAIT_SECONDS = 0.5
STEP_SECONDS = 0.1  # between two steps, each of which is a commit: calls that could start wait for it
LAST_ANSWERS_SECONDS = 20
MOST_REJECTIONS = 20  # in a row, with the same words
LEAST_UNANSWERED = 3  # in a row: then the service is away, however few may be under way
CUT = "cut off: asked again with more room"
EMPTY = "The budget is spent: ask again with a higher one to go on. What was answered is kept."
NOT_TAKEN = ("rate limit", "overloaded", "too early", "conflict")


@dataclass(frozen=True)
class Came(Generic[Row]):
    """What came back for a row, after so many attempts. `lost`: those that may be billed without an answer, at their
    bound. `is_asked_again`: the fault passes, so the row waits on."""

    row: Row
    outcome: Reply | Fault
    attempts: int
    lost: Bound = Bound()  # noqa: RUF009 - frozen
    earlier: Sequence[Fault] = ()
    is_asked_again: bool = False


def run(purpose: ServicePurpose[Row], work: Work) -> Iterator[Step]:
    """Ask about the rows that wait until none does. Raises CannotGoOn where the service takes no calls, is away for a
    day or the budget is spent, and LeaseLost."""
    batch, (done, total), next_step = purpose.batch, purpose.progress(), 0.0
    spending.count_what_is_held(batch, work)
    with ConcurrentRequests(
        partial(providers.find_provider(batch.judge).open_client, batch.parameters.get("timeout", 0)),
        purpose.capabilities,
        model="" if batch.capabilities else batch.parameters["model"],
        per_minute=batch.parameters["per_minute"],
        seed=batch.pk,
    ) as requests:
        calls = _Calls(purpose, work, requests)
        try:
            while calls.is_open:
                done += calls.take_turn(WAIT_SECONDS)
                if time.monotonic() >= next_step or not requests.outstanding:
                    next_step = time.monotonic() + STEP_SECONDS
                    yield Step(min(done, total), total, cursor=LINED_UP, may_alternate=True)
            if calls.outage and not calls.why_stopped:
                until = outages.wait(batch, calls.outage, timezone.now())
                yield Step(min(done, total), total, LINED_UP, outages.describe(batch), not_before=until)
        except GeneratorExit:
            # Paused or asked to leave: what is under way is paid, so its answers are waited for.
            calls.take_the_last()
            raise
        finally:
            spending.count_what_is_held(batch, work)
    if why := calls.why_stopped or calls.why_all_rejected:
        raise CannotGoOn(why)


class _Calls(Generic[Row]):
    """The rows that wait and those under way. `why_stopped` is empty while nothing speaks against another call;
    `outage`: the fault with which the service went away."""

    def __init__(self, purpose: ServicePurpose[Row], work: Work, requests: ConcurrentRequests) -> None:
        self._purpose, self._work, self._requests = purpose, work, requests
        self._budget = Budget(purpose.batch)
        self._rejections = _Rejections(purpose.batch.judge)
        self._kept: Capabilities | None = None
        self._fresh, self._again = _in_turn(purpose), deque[Row]()
        self._asked: dict[int, Row] = {}
        self._tries = _Tries()
        self._is_exhausted = False
        self._is_probing = purpose.batch.away_since is not None
        self.why_stopped = ""
        self.outage: Fault | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is anything to ask or to wait for."""
        return self._requests.outstanding > 0 or (self._may_ask and not (self._is_exhausted and not self._again))

    @property
    def _may_ask(self) -> bool:
        return not self.why_stopped and self.outage is None

    def take_turn(self, wait_seconds: float) -> int:
        """Store the results that are there, after waiting for the first of them, and ask what may be asked in their
        place, in one transaction; how many rows are over with them."""
        self._keep_capabilities()
        results = self._requests.drain(wait_seconds) if self._requests.outstanding else []
        came = [self._settle(result) for result in results]
        current = self._requests.capabilities
        chosen = self._choose(current)
        if came or chosen:
            store(purpose=self._purpose, work=self._work, came=came, now=timezone.now(), held=self._budget.held)
        for row, message in chosen:
            self._asked[row.pk] = row
            self._requests.submit(row.pk, message, current)
        unfinished = [one.row for one in came if one.row.state == Answer.State.QUEUED]
        self._again.extend(unfinished)
        return len(came) - len(unfinished)

    def _settle(self, result: Result) -> Came[Row]:
        """What a result means for its row, the budget and the rest of the batch."""
        row, outcome = self._asked.pop(result.name), result.outcome
        lost = self._budget.settle(result.name, outcome)
        is_asked_again = result.is_adapted or self._tries.is_worth_another(row.pk, outcome)
        if isinstance(outcome, Closed):
            self.why_stopped = f"{self._purpose.batch.judge} takes no calls: {outcome}. What was answered is kept."
        elif not isinstance(outcome, Passing):
            self._end_outage()
            is_cut = isinstance(outcome, Reply) and outcome.stop is Stop.LENGTH and row.cause != CUT
            if is_cut and result.capabilities is self._requests.capabilities:
                self._requests.capabilities = with_room(result.capabilities)
        elif self._is_probing or self._tries.unanswered >= max(LEAST_UNANSWERED, self._most):
            self.outage = outcome
        if not result.is_adapted:
            self.why_stopped = self.why_stopped or self._rejections.count(outcome)
        return Came(row, outcome, result.attempts, lost, result.earlier, is_asked_again)

    def _end_outage(self) -> None:
        """The service answers: all calls may be made again."""
        self.outage = None
        if self._is_probing:
            self._is_probing = False
            outages.end(self._purpose.batch)

    @property
    def _most(self) -> int:
        """Calls that may be under way; one, while it is not known whether the service is back."""
        most: int = self._purpose.batch.parameters["concurrency"]
        return 1 if self._is_probing else most

    def _choose(self, capabilities: Capabilities) -> list[tuple[Row, Request]]:
        """The rows to be asked now with their messages, held by the budget."""
        chosen: list[tuple[Row, Request]] = []
        while self._may_ask and len(self._asked) + len(chosen) < self._most and (row := self._next()):
            message = self._purpose.message(row)
            if self._budget.may_pay(row.pk, message, capabilities):
                chosen.append((row, message))
                continue
            self._again.appendleft(row)
            if not self._asked and not chosen:  # else what is under way may turn out to cost less than it is held at
                self.why_stopped = EMPTY
            break
        return chosen

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
        self.why_stopped = self.why_stopped or "paused"
        before = None
        while self._requests.outstanding and self._requests.outstanding != before:
            before = self._requests.outstanding
            self.take_turn(LAST_ANSWERS_SECONDS)

    def _next(self) -> Row | None:
        if self._again:
            return self._again.popleft()
        row = next(self._fresh, None)
        self._is_exhausted = row is None
        return row


def _in_turn(purpose: ServicePurpose[Row]) -> Iterator[Row]:
    """The rows that wait. While the service is away, another one of them comes first at each try: one that it can never
    answer does not keep the others waiting."""
    waiting = purpose.rows.filter(state=Answer.State.QUEUED).order_by("pk")
    tries = purpose.batch.away_tries
    first = waiting.values_list("pk", flat=True)[tries % (waiting.count() or 1) :][:1] if tries else ()
    start = next(iter(first), 0)
    return itertools.chain(purpose.open_rows(after=start - 1), purpose.open_rows(until=start))


def is_surely_not_taken(fault: Passing) -> bool:
    """Whether the service did nothing with the call."""
    return fault.cause in NOT_TAKEN or (fault.cause == "connection lost" and not fault.may_be_billed)


class _Tries:
    """Tells a service that is away from a row that it cannot answer: a row is given up only after so many tries between
    which the service answered others. `unanswered`: results in a row without an answer to any."""

    def __init__(self) -> None:
        self.unanswered = 0
        self._answers = 0
        self._of_rows: dict[int, tuple[int, int]] = {}  # tries, and the answers to others by the last of them

    def is_worth_another(self, name: int, outcome: Reply | Fault) -> bool:
        if not isinstance(outcome, Passing):
            if not isinstance(outcome, Closed):
                self._answers, self.unanswered = self._answers + 1, 0
            return False
        self.unanswered += 1
        if is_surely_not_taken(outcome) or outcome.cause == "server fault 503":
            return True  # which says nothing of this row
        tries, answers = self._of_rows.get(name, (0, -1))
        tries += self._answers > answers
        self._of_rows[name] = tries, self._answers
        return tries < MOST_ATTEMPTS


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


@transaction.atomic
def store(
    *, purpose: ServicePurpose[Row], work: Work, came: Sequence[Came[Row]], now: datetime, held: Bound | None = None
) -> None:
    """Rows get their final state, or wait to be asked again; one whose fault closes the batch stays as it is. `held`:
    what is under way from now on, None where that stays. Raises LeaseLost."""
    purpose.lock()
    if not Work.objects.select_for_update().filter(pk=work.pk, token=work.token).exists():
        raise LeaseLost
    settled = [one for one in came if not isinstance(one.outcome, Closed) and not one.is_asked_again]
    again = [one.row for one in came if one.is_asked_again]
    for one in came:
        one.row.attempts += one.attempts
    if settled:
        purpose.begin_storing([one.row for one in settled])
    for one in settled:
        one.row.created_at = now
        if not isinstance(one.outcome, Reply):
            purpose.fail(one.row, one.outcome, now)
        elif one.outcome.stop is Stop.LENGTH and one.row.cause != CUT and not _is_cancelled(purpose.batch):
            one.row.state, one.row.cause = Answer.State.QUEUED, CUT  # it is asked once more, with more room
        else:
            purpose.take(one.row, one.outcome, now)
    _write([one.row for one in settled], purpose.columns)
    _write(again, ("attempts",))  # whoever cancelled it meanwhile has closed it
    _count(purpose.batch, came, held)


def _is_cancelled(batch: Batch) -> bool:
    return Batch.objects.filter(pk=batch.pk).exclude(cancelled_at=None).exists()


def _count(batch: Batch, came: Sequence[Came[Row]], held: Bound | None) -> None:
    """Move the batch's counts by these answers and faults, in one statement."""
    replies = [one.outcome for one in came if isinstance(one.outcome, Reply)]
    lost = sum((one.lost for one in came), Bound())
    changes = spending.changes(batch, [reply.tokens for reply in replies], lost, held)
    if new := {storable(reply.model) for reply in replies if reply.model}.difference(batch.model_versions):
        changes["model_versions"] = batch.model_versions = sorted({*batch.model_versions, *new})
    faults = [fault for one in came for fault in (*one.earlier, one.outcome) if isinstance(fault, Fault)]
    if faults:
        changes["messages"] = _with_messages(batch, faults)
    if changes:
        Batch.objects.filter(pk=batch.pk).update(**changes)


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


@transaction.atomic
def keep_messages(batch: Batch, faults: Sequence[Fault]) -> None:
    """Of calls that are about no row."""
    changes = {"messages": _with_messages(Batch.objects.select_for_update(no_key=True).get(pk=batch.pk), faults)}
    Batch.objects.filter(pk=batch.pk).update(**changes)


def _with_messages(batch: Batch, faults: Sequence[Fault]) -> dict[str, dict[str, object]]:
    """Faults counted by cause, with the service's words of the last of each. The work is held by `store`."""
    kept = dict(Batch.objects.values_list("messages", flat=True).get(pk=batch.pk))
    words = {storable(fault.cause): storable(str(fault)) for fault in faults}
    for cause, count in Counter(storable(fault.cause) for fault in faults).items():
        kept[cause] = {"count": kept.get(cause, {"count": 0})["count"] + count, "message": words[cause]}
        logger.warning("batch %s: %s, %s times: %s", batch.pk, cause, count, words[cause])
    return kept

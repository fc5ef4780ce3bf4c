"""The work of a batch of texts that a model writes: rows first, then calls, round by round.

A killed worker loses the calls in flight: what was stored is stored with its cost, and the rows that wait say what they
have so far.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import suppress

from django.db import transaction
from django.utils import timezone

from annotate.llm import providers
from annotate.llm.concurrent_requests import ConcurrentRequests
from annotate.llm.service_faults import Closed
from annotate.models import Batch, Collection, Generation, Topic, Work
from annotate.suggestions.operations import storing_answers
from annotate.suggestions.operations.budget import EMPTY, Budget
from annotate.variants import operations as variants_operations
from annotate.work import kinds as work_kinds
from annotate.work.kinds import CannotGoOn, Step
from annotate.writing.operations import stored_texts, writing
from annotate.writing.operations.stored_texts import Came

State = Generation.State
BATCH = 500
WAIT_SECONDS = 0.5
LAST_ANSWERS_SECONDS = 20
LINED_UP = "lined up"  # the cursor once every text has its row


def run(work: Work) -> Iterator[Step]:
    """Ask until every row has its final state; after a crash it goes on with the rows that have none."""
    batch = Batch.objects.select_related("collection", "prompt").get(pk=work.arguments["batch"])
    if sentence := providers.find_provider(batch.judge).missing_setup():
        raise CannotGoOn(sentence)
    if not work.cursor:
        yield from _line_up(batch)
    with suppress(storing_answers.LeaseLost):
        yield from _call(batch, work)
        _finish(batch)


def _line_up(batch: Batch) -> Iterator[Step]:
    """A row for each text that is wanted, made once."""
    there = set(Generation.objects.filter(batch=batch).values_list("topic", "profile"))
    rows = [row for row in writing.rows_of(batch) if (row.topic_id, row.profile_id) not in there]
    for start in range(0, len(rows), BATCH):
        _make(batch, rows[start : start + BATCH])
        work_kinds.let_others_write()
        yield Step(0, len(there) + len(rows), note=f"lining up {len(there) + len(rows):,}")
    yield Step(*stored_texts.progress(batch), cursor=LINED_UP, note="asking")


@transaction.atomic
def _make(batch: Batch, rows: list[Generation]) -> None:
    Collection.objects.select_for_update(no_key=True).get(pk=batch.collection_id)
    if not Batch.objects.select_for_update(no_key=True).filter(pk=batch.pk, cancelled_at=None).exists():
        return  # cancelled in this moment: a row that waits now would wait for ever
    there = set(Topic.objects.published().filter(collection=batch.collection).values_list("pk", flat=True))
    wanted = [row for row in rows if row.topic_id in there]  # without topics that are withdrawn in this moment
    for row in wanted:
        row.state, row.created_at = State.QUEUED, timezone.now()
    Generation.objects.bulk_create(wanted)


def _call(batch: Batch, work: Work) -> Iterator[Step]:
    """Keep as many calls under way as are allowed; what comes back is stored, or waits for its next round."""
    done, total = stored_texts.progress(batch)
    per_minute = batch.parameters["per_minute"]
    open_client = providers.find_provider(batch.judge).open_client
    with ConcurrentRequests(open_client, per_minute=per_minute, seed=batch.pk) as desk:
        calls = _Calls(batch, work, desk)
        try:
            while calls.ask_more():
                done += calls.take(WAIT_SECONDS)
                yield Step(min(done, total), total, cursor=LINED_UP)
        except GeneratorExit:
            # Paused or asked to leave: what is under way is paid, so its answers are waited for.
            calls.take_the_last()
            raise
    if calls.why_stopped:
        raise CannotGoOn(calls.why_stopped)


@transaction.atomic
def _finish(batch: Batch) -> None:
    Batch.objects.filter(pk=batch.pk).update(finished_at=timezone.now())
    if batch.purpose == Batch.Purpose.VARIANTS:
        variants_operations.request_measures(collection=batch.collection, by=None, now=timezone.now())


class _Calls:
    """The rows that wait and those under way. `why_stopped` is empty while nothing speaks against another call."""

    def __init__(self, batch: Batch, work: Work, desk: ConcurrentRequests) -> None:
        self._batch, self._work, self._desk = batch, work, desk
        self._purse, self._writer = Budget(batch), writing.writer_of(batch)
        self._fresh = stored_texts.to_ask(batch)
        self._again: deque[Generation] = deque()
        self._asked: dict[int, Generation] = {}
        self.why_stopped = ""

    def ask_more(self) -> bool:
        """Ask what may be asked now; whether there is anything to wait for."""
        most = self._batch.parameters["concurrency"]
        while not self.why_stopped and self._desk.outstanding < most and (row := self._next()):
            request = self._writer.request(row)
            if self._purse.may_pay(row.pk, request):
                self._asked[row.pk] = row
                self._desk.submit(row.pk, request)
            else:
                self.why_stopped = EMPTY
        return self._desk.outstanding > 0

    def take(self, wait_seconds: float) -> int:
        """Store the results that are there, after waiting for the first of them; how many rows are over with them."""
        results = self._desk.drain(wait_seconds)
        if not results:
            return 0
        came = [Came(self._asked.pop(result.name), result.outcome, result.attempts) for result in results]
        stored_texts.store(batch=self._batch, work=self._work, writer=self._writer, came=came, now=timezone.now())
        self._purse.settle([one.row.pk for one in came])
        for one in came:
            if isinstance(one.outcome, Closed):
                self.why_stopped = f"{self._batch.judge} takes no calls: {one.outcome}. What was answered is kept."
        unfinished = [one.row for one in came if one.row.state == State.QUEUED]
        self._again.extend(unfinished)
        return len(came) - len(unfinished)

    def take_the_last(self) -> None:
        while self._desk.outstanding:
            before = self._desk.outstanding
            self.take(LAST_ANSWERS_SECONDS)
            if self._desk.outstanding == before:
                return

    def _next(self) -> Generation | None:
        return self._again.popleft() if self._again else next(self._fresh, None)

"""Calls to a service for the rows of a batch: as many under way as are allowed, stored before more is asked."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from annotate.llm import providers
from annotate.llm.concurrent_requests import ConcurrentRequests
from annotate.llm.messages import Request
from annotate.llm.service_faults import Closed
from annotate.models import Batch
from annotate.suggestions.operations.budget import EMPTY, Budget
from annotate.suggestions.operations.storing_answers import Came
from annotate.work.kinds import CannotGoOn, Step

WAIT_SECONDS = 0.5
STEP_SECONDS = 0.25  # between two steps, each of which is a commit: calls that could start wait for it
LAST_ANSWERS_SECONDS = 20
LINED_UP = "lined up"  # the cursor once every row is there

Row = Any  # a suggestion, or what else a model is asked for: it has a pk


def make(
    batch: Batch,
    rows: Iterator[Row],
    *,
    request: Callable[[Row], Request],
    store: Callable[[Sequence[Came]], None],
    progress: tuple[int, int],
) -> Iterator[Step]:
    """Ask about the rows in their order. `progress`: how many of all were answered before.

    Raises CannotGoOn where the service takes no calls or the budget is spent, and whatever `store` raises.
    """
    (done, total), next_step = progress, 0.0
    said, purse = batch.parameters, Budget(batch)
    open_client = providers.find_provider(batch.judge).open_client
    with ConcurrentRequests(open_client, per_minute=said["per_minute"], seed=batch.pk) as desk:
        asked: dict[int, Row] = {}
        closed: Closed | None = None
        try:
            while True:
                while not closed and desk.outstanding < said["concurrency"] and (row := next(rows, None)):
                    wanted = request(row)
                    if not purse.may_pay(row.pk, wanted):
                        rows = iter(())
                        break
                    asked[row.pk] = row
                    desk.submit(row.pk, wanted)
                if not desk.outstanding:
                    break
                came = _take(desk, WAIT_SECONDS, asked, purse, store)
                closed = closed or next((one.outcome for one in came if isinstance(one.outcome, Closed)), None)
                done += len(came)
                if time.monotonic() >= next_step or not desk.outstanding:
                    next_step = time.monotonic() + STEP_SECONDS
                    yield Step(min(done, total), total, cursor=LINED_UP)
        except GeneratorExit:
            # Paused or asked to leave: what is under way is paid, so its answers are waited for.
            while desk.outstanding and _take(desk, LAST_ANSWERS_SECONDS, asked, purse, store):
                pass
            raise
    if closed:
        raise CannotGoOn(f"{batch.judge} takes no calls: {closed}. What was answered is kept.")
    if purse.is_empty:
        raise CannotGoOn(EMPTY)


def _take(
    desk: ConcurrentRequests,
    wait_seconds: float,
    asked: dict[int, Row],
    purse: Budget,
    store: Callable[[Sequence[Came]], None],
) -> list[Came]:
    """Store the results that are there, after waiting for the first of them."""
    results = desk.drain(wait_seconds)
    came = [Came(asked.pop(result.name), result.outcome, result.attempts) for result in results]
    if came:
        store(came)
        purse.settle([one.row.pk for one in came])
    return came

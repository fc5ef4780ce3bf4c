"""Many calls under way: asked again while that helps, paced, and none lost."""

import asyncio
import threading
import time

import pytest

from annotate.llm import concurrent_requests
from annotate.llm.concurrent_requests import ConcurrentRequests
from annotate.llm.messages import Reply, Request, Stop
from annotate.llm.providers import Closed, Filtered, Passing

REQUEST = Request("m", "", "text", 8)
REPLY = Reply("2", Stop.END, "end_turn")


class Scripted:
    """A client whose calls end as the script says, one entry each; the last one for ever."""

    def __init__(self, *script, seconds=0.0):
        self.script, self.seconds = list(script), seconds
        self.started, self.is_closed = [], False

    async def answer(self, request, capabilities):
        self.started.append(time.monotonic())
        await asyncio.sleep(self.seconds)
        outcome = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def close(self):
        self.is_closed = True


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch):
    monkeypatch.setattr(concurrent_requests, "FIRST_SECONDS", 0.001)


def results(desk, count):
    found = []
    while len(found) < count:
        came = desk.drain(5)
        assert came
        found += came
    return found


def outcomes(provider, count=1, **settings):
    with ConcurrentRequests(lambda: provider, **settings) as desk:
        for name in range(count):
            desk.submit(name, REQUEST)
        return results(desk, count)


def test_a_fault_that_passes_is_asked_again():
    [result] = outcomes(Scripted(Passing("overloaded"), Passing("timeout"), REPLY))
    assert (result.outcome, result.attempts) == (REPLY, 3)


@pytest.mark.parametrize("fault", [Filtered("content filter"), Closed("refused with 404")])
def test_a_fault_that_stays_is_not(fault):
    [result] = outcomes(Scripted(fault, REPLY))
    assert (result.outcome, result.attempts) == (fault, 1)


def test_attempts_have_an_end():
    [result] = outcomes(Scripted(Passing("overloaded")), most_attempts=3)
    assert (result.outcome.cause, result.attempts) == ("overloaded", 3)


def test_a_fault_of_our_own_ends_the_batch_and_does_not_hang_it():
    [result] = outcomes(Scripted(RuntimeError("with a secret")))
    assert isinstance(result.outcome, Closed)
    assert "RuntimeError" in str(result.outcome)
    assert "secret" not in str(result.outcome)


def test_calls_run_side_by_side():
    provider = Scripted(REPLY, seconds=0.3)
    outcomes(provider, count=20)
    assert max(provider.started) - min(provider.started) < 0.3


def test_calls_are_spaced_where_a_minute_takes_only_so_many():
    provider = Scripted(REPLY)
    outcomes(provider, count=4, per_minute=600)
    assert max(provider.started) - min(provider.started) >= 0.29


def test_while_a_service_wants_no_calls_none_of_them_starts():
    provider = Scripted(Passing("rate limit", after=0.4), REPLY)
    with ConcurrentRequests(lambda: provider) as desk:
        desk.submit(1, REQUEST)
        deadline = time.monotonic() + 5
        while len(provider.started) < 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.1)
        desk.submit(2, REQUEST)
        results(desk, 2)
    assert min(provider.started[1:]) - provider.started[0] >= 0.39


def test_what_is_outstanding_is_counted_until_it_is_taken():
    with ConcurrentRequests(lambda: Scripted(REPLY)) as desk:
        desk.submit(1, REQUEST)
        desk.submit(2, REQUEST)
        assert desk.outstanding == 2
        assert {result.name for result in results(desk, 2)} == {1, 2}
        assert desk.outstanding == 0
        assert desk.drain(0.01) == []


def test_leaving_drops_what_is_under_way_and_closes_the_client():
    provider = Scripted(REPLY, seconds=60)
    with ConcurrentRequests(lambda: provider) as desk:
        desk.submit(1, REQUEST)
    assert provider.is_closed
    assert "model calls" not in {thread.name for thread in threading.enumerate()}


def test_a_client_that_cannot_be_opened_leaves_no_thread():
    def fail():
        raise OSError("no")

    with pytest.raises(OSError, match="no"), ConcurrentRequests(fail):
        pass
    assert "model calls" not in {thread.name for thread in threading.enumerate()}

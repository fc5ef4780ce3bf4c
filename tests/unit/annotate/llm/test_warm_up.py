"""Which calls wait for the first one with their beginning."""

import asyncio

import pytest

from annotate.llm import shared_limits
from annotate.llm.capabilities import Capabilities
from annotate.llm.messages import Reply, Request, Stop
from annotate.llm.providers import Passing
from annotate.llm.shared_limits import WarmingClient
from tests import loops

KEEPS = Capabilities(cache_from=512)
LONG, OTHER = "Guidelines. " * 200, "Other rules. " * 200


class Service:
    """Answers after a moment; the first so many calls fail."""

    def __init__(self, failing=0):
        self.failing = failing
        self.under_way, self.seen = 0, []

    async def answer(self, request, capabilities):
        self.under_way += 1
        self.seen.append(self.under_way)
        await asyncio.sleep(0.01)
        self.under_way -= 1
        if self.failing:
            self.failing -= 1
            raise Passing("timeout")
        return Reply("2", Stop.END, "end")


def run(service, *fixed, capabilities=KEEPS):
    async def ask():
        client = WarmingClient(service)
        requests = [Request("m", beginning, "?", 32) for beginning in fixed]
        asked = (client.answer(request, capabilities) for request in requests)
        return await asyncio.gather(*asked, return_exceptions=True)

    return loops.run(ask())


def test_the_others_wait_for_the_first():
    service = Service()
    run(service, *[LONG] * 5)
    assert service.seen == [1, 1, 2, 3, 4]


@pytest.mark.parametrize(("fixed", "capabilities"), [("Short.", KEEPS), (LONG, Capabilities()), ("", KEEPS)])
def test_where_nothing_is_kept_nobody_waits(fixed, capabilities):
    service = Service()
    run(service, *[fixed] * 4, capabilities=capabilities)
    assert service.seen == [1, 2, 3, 4]


def test_each_beginning_has_its_own_first():
    service = Service()
    run(service, LONG, OTHER, LONG, OTHER)
    assert service.seen[:2] == [1, 2]


def test_after_one_that_fails_soon_the_next_is_the_first():
    service = Service(failing=2)
    came = run(service, *[LONG] * 4)
    assert service.seen == [1, 1, 1, 1]
    assert [isinstance(one, Passing) for one in came] == [True, True, False, False]


def test_after_one_that_fails_late_all_others_are_made(monkeypatch):
    monkeypatch.setattr(shared_limits, "PATIENCE", 0.0)
    service = Service(failing=1)
    run(service, *[LONG] * 4)
    assert service.seen == [1, 1, 2, 3]

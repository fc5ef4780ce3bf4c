"""The services' own batches when things go wrong, and while they wait."""

from collections import Counter
from decimal import Decimal

import pytest
from django.utils import timezone

from annotate import work
from annotate.models import Work
from annotate.operations import asking, prompting, queueing, service_batching
from annotate.operations.asking import Wish
from annotate.operations.steps import Step
from annotate.queries import batches
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def states(batch):
    return Counter(batch.suggestions.values_list("state", flat=True))


def one_step(row):
    yield Step(1, 1)


def queue(collection, **wish):
    prompt = prompting.use_built_in(collection=collection, name="rationale", now=factories.NOW)
    said = {"service": "anthropic", "model": "claude-opus-5", "prompt": prompt, "is_batched": True, **wish}
    return asking.request(collection=collection, wish=Wish(**said), by=None, now=factories.NOW)


def take_turns(count):
    """A worker that comes by so many times, whatever moment the work waits for."""
    for _ in range(count):
        Work.objects.update(not_before=None)
        work.run(work.claim())


def test_results_that_break_off_are_fetched_again(serve, collection, ask):
    server = serve(broken_fetches=2)
    batch = ask(collection, is_batched=True)
    assert states(batch) == {"DONE": 10}
    assert (batch.calls, server.script.broken_fetches) == (10, 0)


def test_several_chunks_are_each_handed_in_once(serve, collection, ask, monkeypatch):
    monkeypatch.setattr(service_batching, "CHUNK", 4)
    server = serve(looks=2)
    batch = ask(collection, is_batched=True)
    assert states(batch) == {"DONE": 10}
    assert [len(one["requests"]) for one in server.batches.values()] == [4, 4, 2]


def test_a_temperature_reaches_the_service(serve, collection, ask):
    server = serve()
    ask(collection, is_batched=True, temperature=0.5)
    [handed_in] = server.batches.values()
    assert {entry["params"]["temperature"] for entry in handed_in["requests"]} == {0.5}


def test_a_budget_counts_what_is_with_the_service_already(serve, collection):
    server = serve(looks=10**6)
    batch = queue(collection, budget=Decimal("0.05"))
    take_turns(3)
    [handed_in] = server.batches.values()
    assert 0 < len(handed_in["requests"]) < 10
    server.script.looks = 1
    work.see_through(batch.work_id)
    batch.refresh_from_db()
    assert len(server.batches) > 1
    assert batches.cost(batch) <= Decimal("0.05")


def test_while_it_waits_the_worker_does_other_work(serve, collection, monkeypatch):
    serve(looks=10**6)
    monkeypatch.setattr("annotate.llm.pacing.look_again", lambda looks: 3600.0)
    batch = queue(collection)
    monkeypatch.setitem(work._handlers, "other", one_step)
    other = queueing.enqueue(
        collection=collection,
        kind="other",
        lane=queueing.SUGGESTIONS,
        subject="",
        arguments={},
        by=None,
        now=factories.NOW,
    )
    work.run_waiting()
    other.refresh_from_db()
    batch.work.refresh_from_db()
    assert other.state == Work.State.DONE
    assert (batch.work.state, batch.work.attempts) == (Work.State.QUEUED, 0)
    assert batch.work.not_before > timezone.now()

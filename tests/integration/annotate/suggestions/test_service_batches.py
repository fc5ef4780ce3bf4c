"""The services' own batches when things go wrong, and while they wait."""

from collections import Counter
from decimal import Decimal

import pytest
from django.utils import timezone

from annotate.grades import batches
from annotate.llm import concurrent_requests
from annotate.models import Batch, ServiceBatch, Work
from annotate.suggestions.operations import batches as batch_life
from annotate.suggestions.operations import prompts, service_batches
from annotate.suggestions.purposes.grades import GradesPlan
from annotate.suggestions.purposes.purpose import LINED_UP
from annotate.work import engine
from annotate.work import queue as work_queue
from annotate.work.queue import Step
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
GROWING = concurrent_requests.poll_seconds


def states(batch):
    return Counter(batch.suggestions.values_list("state", flat=True))


def one_step(row):
    yield Step(1, 1)


def queue(collection, **plan):
    prompt = prompts.use_built_in_prompt(collection=collection, name="rationale", now=factories.NOW)
    said = {"service": "anthropic", "model": "claude-opus-5", "prompt": prompt, "is_batched": True, **plan}
    return batch_life.start(collection=collection, plan=GradesPlan(**said), by=None, now=factories.NOW)


def take_turns(count):
    """A worker that comes by so many times, whatever moment the work waits for."""
    for _ in range(count):
        Work.objects.update(not_before=None)
        engine.run(engine.claim())


def test_results_that_break_off_are_fetched_again(serve, collection, ask):
    server = serve(broken_fetches=2)
    batch = ask(collection, is_batched=True)
    assert states(batch) == {"DONE": 10}
    assert (batch.calls, server.script.broken_fetches) == (10, 0)


def test_several_chunks_are_each_handed_in_once(serve, collection, ask, monkeypatch):
    monkeypatch.setattr(service_batches, "CHUNK", 4)
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
    batch = queue(collection, budget=Decimal("0.20"))
    take_turns(3)
    [handed_in] = server.batches.values()
    assert 0 < len(handed_in["requests"]) < 10
    server.script.looks = 1
    engine.see_through(batch.work_id)
    batch.refresh_from_db()
    assert len(server.batches) > 1
    assert batches.batch_cost(batch) <= Decimal("0.20")


def test_while_it_waits_the_worker_does_other_work(serve, collection, monkeypatch):
    serve(looks=10**6)
    monkeypatch.setattr("annotate.llm.concurrent_requests.poll_seconds", lambda looks: 3600.0)
    batch = queue(collection)
    monkeypatch.setitem(work_queue.registered, "other", one_step)
    other = work_queue.enqueue(
        collection=collection,
        kind="other",
        queue=work_queue.SUGGESTIONS,
        subject="",
        arguments={},
        by=None,
        now=factories.NOW,
    )
    engine.run_waiting()
    other.refresh_from_db()
    batch.work.refresh_from_db()
    assert other.state == Work.State.DONE
    assert (batch.work.state, batch.work.attempts) == (Work.State.QUEUED, 0)
    assert batch.work.not_before > timezone.now()


def test_it_is_looked_at_with_growing_pauses(serve, collection, monkeypatch):
    serve(looks=10**6)
    monkeypatch.setattr(concurrent_requests, "poll_seconds", GROWING)
    queue(collection)
    pauses = []
    for _ in range(5):
        take_turns(1)
        ServiceBatch.objects.update(next_look_at=timezone.now())
        before = timezone.now()
        take_turns(1)
        [one] = ServiceBatch.objects.all()
        pauses.append(round((one.next_look_at - before).total_seconds()))
    assert pauses == sorted(pauses) and pauses[0] >= 4 and pauses[-1] >= 60


@pytest.mark.parametrize("fault", ["expired", "errored", "missing"])
def test_what_expired_failed_or_is_missing_is_handed_in_again_and_nothing_else_is(serve, collection, ask, fault):
    server = serve(share=0.3, batch_faults=(fault,), faults=())
    batch = ask(collection, is_batched=True)
    first, second = (
        {entry["custom_id"].rpartition("-")[0] for entry in one["requests"]} for one in server.batches.values()
    )
    assert (len(first), states(batch)) == (10, {"DONE": 10})
    assert second < first
    again = batch.suggestions.filter(pk__in=[int(name.split("-")[1]) for name in second])
    assert set(again.values_list("attempts", flat=True)) == {2}
    assert server.script.calls == batch.calls == 10


def test_a_request_that_the_service_cannot_take_is_not_handed_in_again(serve, collection, ask):
    server = serve(share=0.3, batch_faults=("rejected",), faults=())
    batch = ask(collection, is_batched=True)
    failed = batch.suggestions.filter(state="FAILED")
    assert len(server.batches) == 1
    assert set(failed.values_list("cause", flat=True)) == {"invalid_request_error"}
    assert 0 < failed.count() == 10 - states(batch)["DONE"]


def test_a_worker_that_died_after_handing_in_hands_nothing_in_twice(serve, collection, monkeypatch):
    monkeypatch.setattr(service_batches, "CHUNK", 4)
    server = serve(looks=2)
    batch = queue(collection)
    dead = engine.claim(work_id=batch.work_id)
    steps = batch_life.run(dead)
    while len(server.batches) < 2:
        next(steps)
    steps.close()
    Work.objects.filter(pk=dead.pk).update(lease_until=factories.NOW, cursor=LINED_UP)
    engine.see_through(batch.work_id)
    batch.refresh_from_db()
    names = [entry["custom_id"] for one in server.batches.values() for entry in one["requests"]]
    assert (len(names), len(set(names)), states(batch)) == (10, 10, {"DONE": 10})
    assert batch.calls == server.script.calls == 10


def test_a_cancel_while_a_chunk_is_handed_in_reaches_the_service_too(serve, collection, ask, monkeypatch):
    serve()
    keep = service_batches._keep

    def cancelled_meanwhile(batch, *handed_in):
        batch_life.cancel(batch=Batch.objects.get(pk=batch.pk), by=None, now=factories.NOW)
        keep(batch, *handed_in)

    monkeypatch.setattr(service_batches, "_keep", cancelled_meanwhile)
    batch = ask(collection, is_batched=True)
    engine.see_through(batch.work_id)
    assert not batch.suggestions.filter(state__in=["QUEUED", "SUBMITTED"]).exists()
    assert not ServiceBatch.objects.filter(batch=batch, ended_at=None).exists()


def test_results_that_are_missing_after_a_cancel_do_not_wait_for_ever(serve, collection, ask, monkeypatch):
    serve()
    stored = service_batches._store

    def cancelled_before(purpose, work, one, rows, results):
        batch_life.cancel(batch=Batch.objects.get(pk=purpose.batch.pk), by=None, now=factories.NOW)
        stored(purpose, work, one, rows, {})

    monkeypatch.setattr(service_batches, "_store", cancelled_before)
    batch = ask(collection, is_batched=True)
    engine.run_waiting()
    assert states(batch) == {"CANCELLED": 10}

"""Pausing, going on, cancelling, losing the lease: what was paid is kept, and nothing is paid twice."""

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.grades import batches
from annotate.llm import capabilities, providers
from annotate.llm.messages import Tokens
from annotate.models import Batch, Work
from annotate.suggestions.operations import batches as batch_life
from annotate.suggestions.purposes import grades
from annotate.suggestions.purposes.purpose import CannotAsk
from annotate.work import engine
from tests import factories

PRICE = providers.find_price("anthropic", "claude-haiku-4-5")


pytestmark = pytest.mark.django_db(transaction=True)


def states(batch):
    return Counter(batch.suggestions.values_list("state", flat=True))


def cost_of(server, is_batch=False):
    """What the service counts."""
    paid = server.script.tokens
    tokens = Tokens(paid["fresh"], paid["cached"], paid["written"], paid["given"])
    return capabilities.compute_cost(PRICE, tokens, is_batch=is_batch)


def once_answered(server, do):
    """Something to do in the step after the service's first answer."""

    def on_step(row):
        if server.script.calls and (asked := Batch.objects.filter(work=row).first()):
            do(asked)

    return on_step


def test_a_pause_keeps_what_was_under_way_and_going_on_asks_only_the_rest(serve, collection, ask):
    server = serve(seconds=0.2)
    batch = ask(collection, concurrency=3, on_step=once_answered(server, lambda one: batch_life.pause(batch=one)))
    assert batch.work.state == Work.State.STOPPED
    assert 3 < states(batch)["DONE"] < 10
    assert (batch.calls, batches.batch_cost(batch)) == (server.script.calls, cost_of(server))

    again = batch_life.resume(batch=batch, by=None, now=factories.NOW)
    engine.see_through(again.work_id)
    batch.refresh_from_db()
    assert states(batch) == {"DONE": 10}
    assert (batch.calls, server.script.calls, batches.batch_cost(batch)) == (10, 10, cost_of(server))


def test_a_batch_under_way_is_not_started_a_second_time(serve, collection, ask):
    server = serve(seconds=0.1)
    refused = []

    def resume(batch):
        try:
            batch_life.resume(batch=batch, by=None, now=factories.NOW)
        except CannotAsk as reason:
            refused.append(str(reason))

    batch = ask(collection, concurrency=2, on_step=once_answered(server, resume))
    assert states(batch) == {"DONE": 10}
    assert refused[0] == "This batch is under way."


def test_what_was_cancelled_is_asked_by_the_next_batch(serve, collection, ask):
    server = serve(seconds=0.2)
    cancel = once_answered(server, lambda one: batch_life.cancel(batch=one, by=None, now=factories.NOW))
    first = ask(collection, concurrency=3, on_step=cancel)
    done = states(first)["DONE"]
    assert states(first) == {"DONE": done, "CANCELLED": 10 - done}
    assert server.script.calls == done < 10

    second = ask(collection)
    assert states(second) == {"DONE": 10 - done}
    assert server.script.calls == 10


def test_what_is_cancelled_while_it_is_lined_up_leaves_nothing_that_waits(serve, collection, ask, monkeypatch):
    monkeypatch.setattr(grades, "LINED_UP_AT_ONCE", 4)
    server = serve()

    def cancel(row):
        batch_life.cancel(batch=Batch.objects.get(work=row), by=None, now=factories.NOW)

    batch = ask(collection, on_step=cancel)
    assert states(batch) == {"CANCELLED": 4}
    assert server.script.calls == 0


def test_a_worker_whose_lease_was_taken_stores_nothing(serve, collection, ask):
    server = serve(seconds=0.1)

    def take_over(batch):
        past = timezone.now() - timedelta(minutes=1)
        if Work.objects.filter(pk=batch.work_id, attempts=1).update(lease_until=past):
            engine.run(engine.claim(work_id=batch.work_id))

    batch = ask(collection, concurrency=2, on_step=once_answered(server, take_over))
    assert states(batch) == {"DONE": 10}
    assert batch.calls == 10
    assert server.script.calls <= 12  # two calls were under way


def test_of_a_cancelled_batch_at_the_service_what_was_answered_is_fetched_and_nothing_waits_again(
    serve, collection, ask
):
    server = serve(looks=10**6)

    def cancel(row):
        if server.batches:
            batch_life.cancel(batch=Batch.objects.get(work=row), by=None, now=factories.NOW)

    batch = ask(collection, is_batched=True, on_step=cancel)
    engine.see_through(batch.work_id)
    batch.refresh_from_db()
    assert set(states(batch)) == {"DONE", "CANCELLED"}
    assert states(batch).total() == 10
    assert batch.calls == states(batch)["DONE"] == server.script.calls
    assert batches.batch_cost(batch) == cost_of(server, is_batch=True)


def test_a_pause_leaves_a_batch_at_the_service_and_going_on_fetches_it(serve, collection, ask):
    server = serve(looks=3)

    def pause(row):
        if server.batches and not row.is_over:
            batch_life.pause(batch=Batch.objects.get(work=row))

    batch = ask(collection, is_batched=True, on_step=pause)
    assert (batch.work.state, states(batch)) == (Work.State.STOPPED, {"SUBMITTED": 10})
    engine.see_through(batch_life.resume(batch=batch, by=None, now=factories.NOW).work_id)
    assert states(batch) == {"DONE": 10}
    assert len(server.batches) == 1

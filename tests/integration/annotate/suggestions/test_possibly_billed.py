"""Every call that may have been paid counts: answers that are lost on the way, and those under way at a kill."""

from collections import Counter
from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse

from annotate.grades import batches
from annotate.llm import capabilities, providers
from annotate.llm.messages import Tokens
from annotate.models import Batch, Work
from annotate.suggestions.operations import calls, outages, spending
from annotate.work import engine
from tests import factories, visitors

pytestmark = pytest.mark.django_db(transaction=True)
PRICE = providers.find_price("anthropic", "claude-haiku-4-5")
BUDGET = Decimal("0.05")


def bill(server):
    """What the service itself counts."""
    paid = server.script.tokens
    tokens = Tokens(paid["fresh"], paid["cached"], paid["written"], paid["given"])
    return capabilities.compute_cost(PRICE, tokens, is_batch=False)


def states(batch):
    return Counter(batch.suggestions.values_list("state", flat=True))


def spent(batch):
    return batches.batch_cost(batch) + batches.possibly_billed(batch).cost


@pytest.mark.parametrize("times", [1, 10**6])
@pytest.mark.parametrize("concurrency", [1, 8])
def test_with_half_of_the_answers_lost_the_bill_stays_below_the_budget(serve, ask, times, concurrency):
    collection = factories.make_holes(factories.make_collection(), topics=6, passages=10)
    server = serve(share=0.5, faults=("lost",), times=times)
    batch = ask(collection, prompt="rationale", budget=BUDGET, concurrency=concurrency)
    assert "The budget is spent" in batch.work.error
    assert 0 < bill(server) <= spent(batch) <= BUDGET
    lost = batches.possibly_billed(batch).calls
    assert lost > 0 and server.script.calls == batch.calls + lost


def test_lost_answers_are_asked_again_and_shown_apart(serve, collection, ask):
    server = serve(share=0.5, faults=("lost",))
    batch = ask(collection)
    assert states(batch) == {"DONE": 10}
    lost = server.script.calls - 10
    assert (batch.calls, batch.lost_calls, batch.held_calls) == (10, lost, 0)
    assert bill(server) <= spent(batch)
    told = batches.batch_record(batch, factories.NOW)["possibly_billed"]
    assert (told["calls"], Decimal(told["cost"])) == (lost, batches.possibly_billed(batch).cost)
    page = visitors.researcher(collection).get(reverse("batch", args=[collection.slug, batch.pk]))
    assert f"Possibly billed beside that: {lost} call" in visitors.words(page)


@pytest.mark.parametrize("fault", ["500", "529", "429"])
def test_what_the_service_turned_away_is_not_billed(serve, collection, ask, fault):
    serve(share=1.0, faults=(fault,))
    batch = ask(collection)
    assert states(batch) == {"DONE": 10}
    assert (batch.lost_calls, batches.possibly_billed(batch).cost) == (0, 0)
    assert sum(kept["count"] for kept in batch.messages.values()) == 10


def test_a_row_that_alone_is_never_answered_is_not_asked_for_ever(serve, collection, ask, monkeypatch):
    """It is given up where others were answered between its tries; the last one that waits ends the batch in words."""
    monkeypatch.setattr(outages, "LONGEST_AWAY", timedelta(seconds=2))
    serve(share=0.3, faults=("lost",), times=10**6)
    batch = ask(collection, concurrency=1)
    came = states(batch)
    assert came["DONE"] > 0 and came["DONE"] < 10
    assert came["QUEUED"] == 0 or "has answered nothing since" in batch.work.error
    assert batch.lost_calls > 0


def test_what_was_under_way_with_a_killed_worker_is_counted(serve, collection, ask):
    server = serve()
    held = []

    def killed(*args, **kwargs):
        raise SystemExit  # between the commit that holds the calls and their answers, as a kill

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calls.ConcurrentRequests, "submit", killed)
        patch.setattr(spending, "count_what_is_held", lambda batch, work: held.append(batch.pk))
        patch.setattr(calls._Calls, "take_the_last", lambda self: None)
        with pytest.raises(SystemExit):
            ask(collection, concurrency=4)
    batch = Batch.objects.get(pk=held[0])
    assert (batch.held_calls, batch.lost_calls) == (4, 0)
    assert batches.possibly_billed(batch).calls == 0  # under way, as far as anybody knows
    Work.objects.update(lease_until=factories.NOW)
    engine.run_waiting()
    batch.refresh_from_db()
    assert (batch.held_calls, batch.lost_calls, batch.calls) == (0, 4, 10)
    assert batches.possibly_billed(batch).cost > 0
    assert server.script.calls == 10

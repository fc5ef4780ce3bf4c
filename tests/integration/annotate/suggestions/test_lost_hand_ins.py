"""A batch that was handed in while the answer was lost, a service that forgets it for a moment, broken results."""

from collections import Counter

import pytest

from annotate.grades import batches
from annotate.llm import messages
from annotate.models import ServiceBatch, Work
from annotate.suggestions.operations import batches as batch_life
from annotate.suggestions.operations import service_batches
from annotate.work import engine
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def states(batch):
    return Counter(batch.suggestions.values_list("state", flat=True))


@pytest.mark.parametrize("looks", [1, 3])
def test_a_batch_whose_answer_is_lost_is_found_in_the_services_list(serve, collection, ask, looks):
    server = serve(lost_hand_ins=1, looks=looks)
    batch = ask(collection, is_batched=True)
    assert states(batch) == {"DONE": 10}
    assert len(server.batches) == 1 and server.script.calls == 10
    assert (batch.calls, batch.lost_calls) == (10, 0)


def test_a_worker_that_died_while_it_handed_in_finds_it_too(serve, collection, ask, monkeypatch):
    server = serve()
    keep = service_batches._keep

    def killed(*args):
        monkeypatch.setattr(service_batches, "_keep", keep)
        raise SystemExit

    monkeypatch.setattr(service_batches, "_keep", killed)
    with pytest.raises(SystemExit):
        ask(collection, is_batched=True)
    Work.objects.update(lease_until=factories.NOW)
    engine.see_through(Work.objects.get(kind="ask").pk)
    batch = ServiceBatch.objects.get().batch
    assert states(batch) == {"DONE": 10}
    assert len(server.batches) == 1 and server.script.calls == 10


def test_batches_of_others_are_not_taken_for_ours(serve, collection, ask):
    """Of the same size, by the same key, from another installation."""
    server = serve()
    ask(collection, is_batched=True)
    ServiceBatch.objects.all().delete()
    other = factories.make_holes(factories.make_collection(), topics=2, passages=5)
    server.script.lost_hand_ins = 1
    batch = ask(other, is_batched=True)
    assert (states(batch), len(server.batches), server.script.calls) == ({"DONE": 10}, 2, 20)


def test_one_that_is_not_in_the_list_stops_the_batch_and_counts(serve, collection, ask):
    server = serve(lost_hand_ins=1)
    server.batches_are_listed = False
    batch = ask(collection, is_batched=True)
    assert batch.work.state == Work.State.FAILED
    assert "its list of batches does not have them" in batch.work.error
    assert (states(batch), len(server.batches)) == ({"QUEUED": 10}, 1)
    lost = batches.possibly_billed(batch)
    assert lost.calls == 10 and lost.cost > 0
    batch_life.resume(batch=batch, by=None, now=factories.NOW)
    batch.refresh_from_db()
    engine.see_through(batch.work_id)
    assert (states(batch), len(server.batches)) == ({"DONE": 10}, 2)


@pytest.mark.parametrize("missing", [{"missing_looks": 2}, {"missing_results": 2}])
def test_a_batch_that_is_not_known_for_a_moment_is_looked_at_again(serve, collection, ask, missing):
    server = serve(**missing)
    batch = ask(collection, is_batched=True)
    assert (states(batch), len(server.batches)) == ({"DONE": 10}, 1)
    assert (server.script.missing_looks, server.script.missing_results) == (0, 0)


def test_a_batch_that_stays_unknown_stops_and_says_so(serve, collection, ask):
    serve(missing_looks=10**6)
    batch = ask(collection, is_batched=True)
    assert batch.work.state == Work.State.FAILED
    assert "does not know its batch msgbatch_1 any more" in batch.work.error
    assert (states(batch), batches.possibly_billed(batch).calls) == ({"QUEUED": 10}, 10)


def test_a_blank_or_broken_line_costs_that_line_alone(serve, collection, ask):
    server = serve(broken_lines=("", "{", "[]", '{"custom_id": 3}'))
    batch = ask(collection, is_batched=True)
    assert states(batch) == {"DONE": 10}
    assert [len(one["requests"]) for one in server.batches.values()] == [10, 1]
    assert (batch.calls, batch.lost_calls) == (10, 1)  # the broken one was answered, and paid


@pytest.mark.parametrize("cut", range(1, 40, 7))
def test_results_are_read_whatever_their_chunks(cut):
    content = '{"a": "x\u2028y"}\n\n{"b": \n{"c": 3}'.encode()

    async def read():
        async def chunks():
            for start in range(0, len(content), cut):
                yield content[start : start + cut]

        return [line async for line in messages.read_json_lines(chunks())]

    from annotate.llm.concurrent_requests import run_coroutine

    assert run_coroutine(read()) == [{"a": "x\u2028y"}, {"c": 3}]

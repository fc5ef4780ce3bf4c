"""OpenAI's Batch API through the life of a batch: handed in as a file, looked at, fetched, asked again, cancelled."""

from collections import Counter
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from annotate.grades.batches import batch_cost
from annotate.llm import providers
from annotate.models import Work
from annotate.suggestions.operations import batches, prompts, service_batches
from annotate.suggestions.purposes.grades import GradesPlan
from annotate.work import engine
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ask_openai(ask):
    def request(collection, **plan):
        return ask(collection, **{"service": "openai", "model": "gpt-4o", "is_batched": True, **plan})

    return request


def states(batch):
    return Counter(batch.suggestions.values_list("state", flat=True))


def queue(collection):
    prompt = prompts.use_built_in_prompt(collection=collection, name="direct", now=factories.NOW)
    plan = GradesPlan(service="openai", model="gpt-4o", prompt=prompt, is_batched=True)
    return batches.start(collection=collection, plan=plan, by=None, now=factories.NOW)


def take_turns(count):
    for _ in range(count):
        Work.objects.update(not_before=None)
        engine.run(engine.claim())


@pytest.mark.parametrize("prompt", ["direct", "rationale"])
def test_all_pairs_are_graded_at_half_the_price(serve, collection, ask_openai, prompt):
    server = serve(looks=2)
    batch = ask_openai(collection, prompt=prompt)
    assert states(batch) == {"DONE": 10}
    assert batch.calls == server.script.calls == 10
    price, tokens = providers.find_price("openai", "gpt-4o"), server.script.tokens
    full = (price.fresh * tokens["fresh"] + price.given * tokens["given"]) / 1_000_000
    assert batch_cost(batch) == full / 2
    assert all(row.request_id.startswith("req_") for row in batch.suggestions.all())


def test_several_chunks_are_each_handed_in_once(serve, collection, ask_openai, monkeypatch):
    monkeypatch.setattr(service_batches, "CHUNK", 4)
    server = serve()
    assert states(ask_openai(collection)) == {"DONE": 10}
    assert [len(one["requests"]) for one in server.openai.made.values()] == [4, 4, 2]


@pytest.mark.parametrize("fault", ["expired", "errored", "missing"])
def test_what_expired_failed_or_is_missing_is_handed_in_again(serve, collection, ask_openai, fault):
    server = serve(share=0.3, batch_faults=(fault,), faults=())
    batch = ask_openai(collection)
    assert states(batch) == {"DONE": 10}
    first, second = server.openai.made.values()
    assert 0 < len(second["requests"]) < len(first["requests"]) == 10
    assert batch.calls == server.script.calls == 10


def test_a_line_that_comes_twice_counts_once(serve, collection, ask_openai):
    serve(share=1, batch_faults=("twice",), faults=())
    batch = ask_openai(collection)
    assert (states(batch), batch.calls) == ({"DONE": 10}, 10)


def test_what_is_rejected_is_not_handed_in_again_and_no_key_is_kept(serve, collection, ask_openai):
    server = serve(share=1, batch_faults=("rejected",), faults=())
    batch = ask_openai(collection)
    assert states(batch) == {"FAILED": 10}
    assert len(server.openai.made) == 1
    assert "sk-test" not in str(batch.messages)


@pytest.mark.parametrize("model", ["gpt-5", "o1-mini", "reasoner-of-tomorrow", "five-logprobs"])
def test_what_a_model_refuses_is_left_out_by_the_next_chunk(serve, collection, ask_openai, model):
    serve()
    assert states(ask_openai(collection, model=model)) == {"DONE": 10}


def test_a_full_queue_is_waited_for_with_smaller_chunks(serve, collection, ask_openai):
    server = serve(most_enqueued=3)
    batch = ask_openai(collection)
    assert states(batch) == {"DONE": 10}
    sizes = [len(one["requests"]) for one in server.openai.made.values() if one["status"] == "completed"]
    assert sum(sizes) == 10
    assert max(sizes) <= 3
    assert {row.attempts for row in batch.suggestions.all()} == {1}


def test_a_queue_without_room_for_one_request_stops_with_the_services_words(serve, collection, ask_openai):
    serve(most_enqueued=0)
    batch = ask_openai(collection)
    assert states(batch) == {"QUEUED": 10}
    assert "openai takes no batches: Enqueued token limit reached for gpt-4o" in batch.work.error


def test_a_batch_that_is_not_begun_fails_with_the_services_words(serve, collection, ask_openai):
    server = serve(batch_refusal="The model `gpt-4o` does not take batches.")
    batch = ask_openai(collection)
    assert states(batch) == {"FAILED": 10}
    assert len(server.openai.made) == 1
    assert "does not take batches" in str(batch.messages)


def test_of_a_cancelled_batch_what_was_answered_is_kept(serve, collection):
    server = serve(looks=10**6)
    batch = queue(collection)
    take_turns(2)
    batches.cancel(batch=batch, by=None, now=factories.NOW)
    batch.refresh_from_db()
    engine.see_through(batch.work_id)
    batch.refresh_from_db()
    assert states(batch)["DONE"] == batch.calls == server.script.calls
    assert states(batch)["CANCELLED"] == 10 - batch.calls
    assert server.openai.made["batch_1"]["status"] == "cancelled"


def test_a_budget_holds_what_is_with_the_service(serve, collection, ask_openai):
    server = serve()
    batch = ask_openai(collection, budget=Decimal("0.01"), prompt="rationale")
    assert 0 < batch_cost(batch) <= Decimal("0.01")
    assert len(server.openai.made) > 1


def test_a_file_that_is_too_large_is_not_sent(serve, collection, ask_openai, monkeypatch):
    monkeypatch.setattr("annotate.llm.providers.openai.MOST_BYTES", 1000)
    server = serve()
    batch = ask_openai(collection)
    assert "ask without the service's batches" in batch.work.error
    assert not server.openai.files


def test_a_server_without_batches_says_so(serve, collection):
    serve()
    with pytest.raises(CommandError, match="no batches"):
        call_command(
            *("suggest", "--collection", collection.slug, "--judge", "anthropic", "--model", "without-batches"),
            *("--batches", "--wait"),
        )

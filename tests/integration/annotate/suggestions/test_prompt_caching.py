"""What a service keeps of prompts: one call warms it up before the others, where the beginning is long enough."""

import pytest

from annotate.models import Batch, Guidelines

pytestmark = pytest.mark.django_db(transaction=True)


def lengthen(collection, words):
    Guidelines.objects.filter(collection=collection).update(text="Grade with care. " * words)


@pytest.mark.parametrize(("model", "tokens"), [("claude-haiku-5-5", 600), ("claude-haiku-4-5", 5000)])
def test_one_call_writes_and_all_others_read(serve, collection, ask, model, tokens):
    server = serve(seconds=0.05)
    lengthen(collection, tokens // 4)
    batch = ask(collection, model=model, concurrency=8)
    written = [row.tokens[2] for row in batch.suggestions.all()]
    assert sum(count > 0 for count in written) == 1
    assert batch.tokens_cached == 9 * batch.tokens_written > 0
    assert server.script.most_under_way > 1


@pytest.mark.parametrize(("model", "tokens"), [("claude-haiku-5-5", 30), ("claude-haiku-4-5", 3000)])
def test_below_the_minimum_nothing_is_kept_and_no_call_waits(serve, collection, ask, model, tokens):
    server = serve(seconds=0.3)
    lengthen(collection, tokens // 4)
    batch = ask(collection, model=model, concurrency=10)
    assert (batch.tokens_written, batch.tokens_cached) == (0, 0)
    assert server.script.most_under_way == 10


def test_a_first_call_that_fails_is_followed_by_another_first_one(serve, collection, ask):
    serve(share=0.5, faults=("529",), times=2, seconds=0.01)
    lengthen(collection, 200)
    batch = ask(collection, model="claude-haiku-5-5", concurrency=8)
    assert set(batch.suggestions.values_list("state", flat=True)) == {"DONE"}
    assert sum(row.tokens[2] > 0 for row in batch.suggestions.all()) == 1


def test_batches_of_the_service_keep_it_for_an_hour(serve, collection, ask):
    server = serve()
    lengthen(collection, 200)
    batch = ask(collection, model="claude-haiku-5-5", is_batched=True)
    [handed_in] = server.batches.values()
    kept = {str(entry["params"]["system"][0]["cache_control"]) for entry in handed_in["requests"]}
    assert kept == {str({"type": "ephemeral", "ttl": "1h"})}
    assert Batch.objects.get(pk=batch.pk).price["written_hour"] == "0.20"


def test_what_the_service_says_of_a_models_end_is_shown(serve, collection, ask):
    serve()
    batch = ask(collection, model="claude-of-yesterday")
    assert "the service will retire this model" in batch.capabilities["adapted"]

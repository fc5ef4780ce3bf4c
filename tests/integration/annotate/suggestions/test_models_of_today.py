"""Every current model grades every pair, whatever it refuses and however much it thinks."""

import pytest

from annotate.models import Batch, Prompt, Suggestion, Work
from annotate.suggestions.operations import prompts

ANTHROPIC = ("claude-haiku-4-5", "claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-2")
OPENAI = ("gpt-4o", "gpt-5", "o1-mini", "reasoner-of-tomorrow", "five-logprobs", "local-think")
MODELS = [("anthropic", model) for model in (*ANTHROPIC, "claude-of-tomorrow")] + [
    ("openai", model) for model in OPENAI
]

PROMPTS = prompts.list_built_in_prompts(Prompt.Purpose.JUDGING)


def notes(batch: Batch) -> list[str]:
    return batch.capabilities["adapted"]


@pytest.mark.slow
@pytest.mark.parametrize(("service", "model"), MODELS)
@pytest.mark.django_db(transaction=True)
def test_every_pair_is_graded_with_every_prompt(serve, collection, ask, service, model):
    server = serve()
    for prompt in PROMPTS:
        before = server.script.calls
        batch = ask(collection, service, prompt, model=model)
        rows = Suggestion.objects.filter(batch=batch)
        assert {row.state for row in rows} == {"DONE"}, prompt
        assert rows.count() == batch.pairs
        assert {row.model_version for row in rows} == {model}
        assert all("Perhaps" not in row.reason for row in rows), prompt
        assert server.script.calls - before < 2 * batch.pairs + 10, prompt


@pytest.mark.slow
@pytest.mark.parametrize(
    ("service", "model"), [*(("anthropic", model) for model in ANTHROPIC), ("openai", "gpt-4o"), ("openai", "gpt-5")]
)
@pytest.mark.django_db(transaction=True)
def test_every_pair_is_graded_by_the_services_own_batches(serve, collection, ask, service, model):
    serve()
    for prompt in PROMPTS:
        batch = ask(collection, service, prompt, model=model, is_batched=True)
        assert set(batch.suggestions.values_list("state", flat=True)) == {"DONE"}, prompt


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        ("claude-haiku-4-5", {}),
        ("claude-haiku-5-5", {"thinking": {"type": "disabled"}}),
        ("claude-sonnet-5-5", {"thinking": {"type": "between_tools"}}),
        ("claude-opus-5-5", {"output_config": {"effort": "low"}}),
    ],
)
@pytest.mark.parametrize("has_model_list", [True, False])
@pytest.mark.django_db(transaction=True)
def test_thinking_is_off_where_the_model_allows_it_else_at_the_lowest_effort(
    serve, collection, ask, model, sent, has_model_list
):
    server = serve(has_model_list=has_model_list)
    ask(collection, model=model)
    said = server.script.asked[-1]
    assert {name: said[name] for name in ("thinking", "output_config") if name in said} == sent


@pytest.mark.django_db(transaction=True)
def test_what_a_model_refuses_is_left_out_once_for_the_batch_and_told(serve, collection, ask):
    server = serve(has_model_list=False)
    batch = ask(collection, "openai", model="reasoner-of-tomorrow", temperature=0.0, concurrency=1)
    assert len(server.script.asked) == batch.calls + 4
    assert "guidelines and scale in front of the question: no system message" in notes(batch)
    assert batch.pairs <= batch.calls <= batch.pairs + 1  # one was cut: nobody knew that the model thinks


@pytest.mark.django_db(transaction=True)
def test_thinking_is_counted_apart(serve, collection, ask):
    serve()
    batch = ask(collection, model="claude-fable-5-2")
    assert batch.tokens_thought == 700 * batch.pairs < batch.tokens_given


@pytest.mark.django_db(transaction=True)
def test_a_cut_answer_is_asked_again_with_more_room(serve, collection, ask):
    serve()
    batch = ask(collection, "openai", model="local-think", concurrency=2)
    assert batch.pairs < batch.calls <= batch.pairs + 4
    assert notes(batch) == ["without logprobs", "room for 4,096 tokens of thinking"]


@pytest.mark.django_db(transaction=True)
def test_a_server_at_another_address_needs_no_key(serve, collection, ask, monkeypatch):
    serve(needs_key=False)
    monkeypatch.delenv("OPENAI_API_KEY")
    batch = ask(collection, "openai", model="local-think")
    assert set(batch.suggestions.values_list("state", flat=True)) == {"DONE"}


@pytest.mark.django_db(transaction=True)
def test_a_service_that_rejects_all_calls_alike_stops_the_batch_with_its_words(serve, collection, ask):
    server = serve(rejects="Your organization has disabled this feature.")
    batch = ask(collection, concurrency=1)
    assert batch.work.state == Work.State.FAILED
    assert "rejects the calls: Your organization has disabled this feature." in batch.work.error
    [kept] = batch.messages.values()
    assert kept == {"count": batch.pairs, "message": "Your organization has disabled this feature."}
    assert len(server.script.asked) <= 20

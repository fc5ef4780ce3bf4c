"""Budgets in tokens, for models without a known price, and what long prompts cost."""

import io
import json
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.grades.batches import batch_cost, count_tokens
from annotate.llm import providers
from annotate.models import Batch, Passage
from annotate.suggestions.operations import batches, prompts
from annotate.suggestions.purposes.grades import GradesPlan
from tests import factories, visitors

pytestmark = pytest.mark.django_db(transaction=True)
UNPRICED = "vicuna-7b"


def suggest(collection, *more):
    out = io.StringIO()
    asked = ("--collection", collection.slug, "--judge", "openai", "--model", UNPRICED, "--json")
    call_command("suggest", *asked, *more, stdout=out)
    return json.loads(out.getvalue())


@pytest.mark.parametrize("budget", [800, 700, 1500])
def test_a_budget_in_tokens_is_never_passed(serve, collection, budget):
    server = serve()
    with pytest.raises(CommandError, match="The budget is spent"):
        suggest(collection, "--budget-tokens", str(budget), "--wait", "--concurrency", "3")
    batch = Batch.objects.get()
    assert (batch.budget_tokens, batch.price) == (budget, None)
    assert 0 < count_tokens(batch).total <= budget
    assert server.script.tokens["fresh"] + server.script.tokens["given"] == count_tokens(batch).total


def test_a_budget_in_tokens_that_suffices_asks_everything(serve, collection):
    serve()
    assert suggest(collection, "--budget-tokens", "1000000", "--wait")["states"] == {"DONE": 10}


def test_a_page_takes_it_and_shows_it(serve, collection):
    serve()
    form = {"service": "openai", "model": UNPRICED, "prompt": "built-in:direct", "against": "QUERY", "scope": "POOL"}
    form |= {"samples": 1, "examples": 0, "examples_from": "ANY", "concurrency": 8, "per_minute": 0}
    visitor, page = visitors.researcher(collection), reverse("ask_model", args=[collection.slug])
    estimated = visitor.post(page, {**form, "budget_tokens": "4000"})
    assert "give a budget in tokens" in estimated.content.decode()
    started = visitor.post(page, {**form, "budget_tokens": "4000", "start": "1"}, follow=True)
    assert Batch.objects.get().budget_tokens == 4000
    assert "the budget is 4000 tokens" in started.content.decode()


@pytest.mark.parametrize("tokens", ["0", "-5"])
def test_a_budget_of_no_tokens_is_refused(collection, tokens):
    with pytest.raises(CommandError, match="counted from 1 on"):
        suggest(collection, "--budget-tokens", tokens, "--dry-run")


def test_three_batches_share_both_budgets_and_round_down(collection):
    prompt = prompts.use_built_in_prompt(collection=collection, name="direct", now=factories.NOW)
    plan = GradesPlan(
        service="anthropic", model="claude-haiku-4-5", prompt=prompt, budget=Decimal("0.05"), budget_tokens=100_001
    )
    parts = batches._split_by_need(plan)
    assert [(part.budget, part.budget_tokens) for part in parts] == [(Decimal("0.01"), 33_333)] * 3


def test_a_long_prompt_costs_what_its_tier_does(serve, collection, ask):
    serve()
    long = Passage.objects.filter(pairs__collection=collection).first()
    Passage.objects.filter(pk=long.pk).update(text="A long passage. " * 30_000)
    batch = ask(collection, model="claude-haiku-5-5")
    tokens = [row.tokens for row in batch.suggestions.all()]
    price = providers.find_price("anthropic", "claude-haiku-5-5")
    times = [5 if sum(each[:3]) > 100_000 else 1 for each in tokens]
    assert sorted(times) == [1] * 9 + [5]
    rates = (price.fresh, price.cached, price.written, price.given)
    costs = [sum(map(lambda count, rate: count * rate, each[:4], rates)) for each in tokens]
    expected = sum(cost * more for cost, more in zip(costs, times, strict=True)) / 1_000_000
    assert batch_cost(batch) == expected

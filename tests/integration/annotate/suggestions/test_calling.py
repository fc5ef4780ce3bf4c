"""Batches of calls against a stand-in, by the real SDKs over real HTTP."""

from collections import Counter
from decimal import Decimal

import pytest
from django.urls import reverse

from annotate.grades import batches
from annotate.llm import capabilities, providers
from annotate.llm.messages import Tokens
from annotate.models import Suggestion, Work
from tests import factories, visitors

PRICE = providers.find_price("anthropic", "claude-haiku-4-5")


pytestmark = pytest.mark.django_db(transaction=True)


def states(batch):
    return Counter(batch.suggestions.values_list("state", flat=True))


@pytest.mark.parametrize("service", ["anthropic", "openai"])
def test_every_pair_gets_a_grade_and_the_cost_is_what_the_service_counts(serve, collection, ask, service):
    server = serve()
    batch = ask(collection, service=service)
    assert states(batch) == {"DONE": 10}
    paid = server.script.tokens
    tokens = Tokens(paid["fresh"], paid["cached"], paid["written"], paid["given"])
    assert batches.batch_cost(batch) == capabilities.compute_cost(PRICE, tokens, is_batch=False) > 0
    assert (batch.calls, batch.tokens_fresh, batch.tokens_given) == (10, tokens.fresh, tokens.given)
    assert batch.finished_at is not None


@pytest.mark.parametrize("service", ["anthropic", "openai"])
def test_faults_that_pass_are_asked_again_and_the_others_are_states_without_a_grade(serve, collection, ask, service):
    server = serve(share=1.0)
    batch = ask(collection, service=service)
    assert batch.work.state == Work.State.DONE
    assert states(batch).total() == 10
    assert server.script.calls == batch.calls >= 10  # what was cut is asked once more
    assert not batch.suggestions.filter(state__in=["QUEUED", "SUBMITTED", "FAILED"]).exists()
    assert not batch.suggestions.exclude(state="DONE").exclude(grade=None).exists()
    assert batch.suggestions.filter(attempts__gt=1).exists()


def test_what_came_to_no_grade_is_asked_again_by_the_next_batch_and_nothing_else_is(serve, collection, ask):
    server = serve(share=0.5, faults=("empty", "words"))
    first = ask(collection)
    done = first.suggestions.filter(state="DONE").count()
    assert 0 < done < 10
    server.script.share = 0
    second = ask(collection)
    assert second.rater == first.rater
    assert states(second) == {"DONE": 10 - done}
    assert server.script.calls == 20 - done


def test_a_call_that_fails_tells_nothing_of_the_answer_before_it(serve, collection, ask):
    server = serve(share=1.0, faults=("too long",))
    first = ask(collection)
    assert states(first) == {"TRUNCATED": 10}
    assert all(row.stop_reason and row.tokens for row in first.suggestions.all())
    server.script.faults = ("quoting 400",)
    second = ask(collection)
    told = {(row.state, row.stop_reason, row.request_id, row.tokens) for row in second.suggestions.all()}
    assert told == {("FAILED", "", "", None)}


def test_assessors_see_no_model_until_the_researcher_chooses_one_beside_its_agreement(serve, collection, ask):
    serve()
    batch = ask(collection)
    collection.refresh_from_db()
    assert collection.suggesting_rater is None
    researcher, beside = visitors.researcher(collection), reverse("agreement_models", args=[collection.slug])
    page = researcher.get(reverse("suggestions", args=[collection.slug]))
    assert "Assessors see no model until you choose one." in visitors.words(page)
    assert f'hx-get="{beside}"' in page.content.decode()
    assert "nothing to compare models with" in visitors.words(researcher.get(beside))
    factories.import_qrels(collection, "q1 0 d1.1 3\nq1 0 d1.2 0\nq2 0 d2.1 1\n")
    told = visitors.words(researcher.get(beside))
    assert f"{batch.rater.name} 3" in told and "Alpha, ordinal" in told


def test_several_answers_become_votes_on_the_first(serve, collection, ask):
    serve()
    batch = ask(collection, samples=3)
    assert states(batch) == {"DONE": 30}
    firsts = Suggestion.objects.filter(rater=batch.rater, draw=0)
    assert all(sum(first.votes) == pytest.approx(1, abs=1e-5) for first in firsts)


def test_a_budget_stops_before_it_is_passed_and_says_so(serve, collection, ask):
    server = serve()
    batch = ask(collection, model="claude-opus-5", prompt="rationale", budget=Decimal("0.20"), concurrency=1)
    assert batch.work.state == Work.State.FAILED
    assert "The budget is spent" in batch.work.error
    assert 0 < server.script.calls < 10
    assert batches.batch_cost(batch) <= Decimal("0.20")


def test_the_services_own_batches_are_half_the_price(serve, collection, ask):
    server = serve(looks=2)
    batch = ask(collection, is_batched=True)
    assert states(batch) == {"DONE": 10}
    paid = server.script.tokens
    tokens = Tokens(paid["fresh"], paid["cached"], paid["written"], paid["given"])
    assert batches.batch_cost(batch) == capabilities.compute_cost(PRICE, tokens, is_batch=True)


@pytest.mark.parametrize("fault", ["expired", "errored", "missing", "twice"])
def test_results_that_expire_fail_or_come_twice_or_never_end_in_one_state(serve, collection, ask, fault):
    server = serve(share=0.3, batch_faults=(fault,))
    server.script.faults = ()
    batch = ask(collection, is_batched=True)
    assert states(batch) == {"DONE": 10}
    assert batch.calls == 10

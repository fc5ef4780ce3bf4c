"""Texts by the service's own batches: each round is one hand-in, and nothing is paid or written twice."""

import json
from collections import Counter
from decimal import Decimal

import pytest

from annotate.grades import batches
from annotate.llm.capabilities import Price, compute_cost
from annotate.models import Backstory, Batch, QueryVariant, Work
from annotate.suggestions.operations import batches as batch_life
from annotate.suggestions.operations import prompts, service_batches
from annotate.suggestions.purposes.purpose import LINED_UP
from annotate.work import engine
from tests import factories
from tests.integration.annotate.suggestions.texts.conftest import text_plan

pytestmark = pytest.mark.django_db(transaction=True)
MODELS = {"anthropic": "claude-haiku-4-5", "openai": "gpt-4o"}
GOOD = "Somebody has to find something out."


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection("here"), topics=4, passages=1)


def list_hand_ins(server):
    """Of either service: the ids of the requests of each batch, and all that they ask."""
    made = [*server.batches.values(), *server.openai.made.values()]
    return [([one["custom_id"] for one in batch["requests"]], json.dumps(batch["requests"])) for batch in made]


def states(batch):
    return Counter(batch.generations.values_list("state", flat=True))


def cancel(batch):
    batch_life.cancel(batch=Batch.objects.get(pk=batch.pk), by=None, now=factories.NOW)


@pytest.mark.parametrize("service", MODELS)
def test_a_backstory_that_repeats_the_query_is_handed_in_again_with_its_words(serve, collection, write, service):
    server = serve(says=("Somebody asks for q1 q2 q3 q4.",) * 4 + (GOOD,) * 4)
    batch = write(collection, service=service, model=MODELS[service], is_batched=True)
    assert states(batch) == {"DONE": 4}
    assert set(Backstory.objects.values_list("text", flat=True)) == {GOOD}
    (first, asked), (second, asked_again) = list_hand_ins(server)
    assert [name.rpartition("-")[0] for name in first] == [name.rpartition("-")[0] for name in second]
    assert "Do without these words" not in asked and asked_again.count("Do without these words") == 4
    assert set(batch.generations.values_list("rounds", "attempts")) == {(2, 2)}
    assert batch.calls == server.script.calls == 8
    full = compute_cost(Price.from_json(batch.price), batches.count_tokens(batch), is_batch=False)
    assert batches.batch_cost(batch) == full / 2 > 0


@pytest.mark.parametrize("service", MODELS)
def test_variants_that_are_missing_are_asked_for_in_the_next_hand_in(serve, collection, write, service):
    server = serve(says=(json.dumps(["one way"]),) * 4 + (json.dumps(["another way", "one way"]),) * 4)
    batch = write(collection, Batch.Purpose.VARIANTS, service, model=MODELS[service], number=2, is_batched=True)
    assert states(batch) == {"DONE": 4}
    wordings = QueryVariant.objects.order_by("topic", "number").values_list("text", flat=True)
    assert list(wordings) == ["one way", "another way"] * 4
    _, (_, asked_again) = list_hand_ins(server)
    assert asked_again.count("Write one wording") == asked_again.count("one way") == 4
    assert batch.calls == server.script.calls == 8


def test_no_more_rounds_are_handed_in_than_were_asked_for(serve, collection, write):
    server = serve(says=(json.dumps(["one way"]),))
    batch = write(collection, Batch.Purpose.VARIANTS, number=3, rounds=4, is_batched=True)
    assert (len(server.batches), batch.calls) == (4, 16)
    assert set(batch.generations.values_list("state", "cause")) == {("DONE", "1 of 3")}
    assert QueryVariant.objects.count() == 4


def test_rounds_do_not_count_as_failures(serve, collection, write):
    """Each request expires once: six failures, beside six answers."""
    server = serve(share=1.0, batch_faults=("expired",), faults=(), says=tuple(f'["way {one}"]' for one in range(200)))
    batch = write(collection, Batch.Purpose.VARIANTS, number=6, rounds=6, is_batched=True)
    assert states(batch) == {"DONE": 4}
    assert set(batch.generations.values_list("rounds", "attempts")) == {(6, 12)}
    assert len(server.batches) == 12
    assert QueryVariant.objects.count() == 24


def test_of_a_batch_cancelled_in_its_second_round_what_was_taken_is_in_use_once(serve, collection, write):
    server = serve(says=(json.dumps(["one way"]),))

    def on_step(row):
        if len(server.batches) == 2 and (asked := Batch.objects.filter(work=row).first()):
            server.script.looks = 10**6
            cancel(asked)

    batch = write(collection, Batch.Purpose.VARIANTS, number=5, rounds=10, is_batched=True, on_step=on_step)
    engine.see_through(batch.work_id)
    batch.refresh_from_db()
    assert states(batch) == {"DONE": 4}
    assert QueryVariant.objects.count() == 4
    assert set(batch.generations.values_list("cause", flat=True)) == {"1 of 5"}
    assert len(server.batches) == 2
    assert 4 < batch.calls == server.script.calls < 8  # some of the second round were answered before the cancel


def test_a_cancel_in_the_moment_of_handing_in_hands_nothing_in(serve, collection, write, monkeypatch):
    server = serve()
    prepare = service_batches._prepare

    def cancelled_meanwhile(purpose, rows):
        cancel(purpose.batch)
        return prepare(purpose, rows)

    monkeypatch.setattr(service_batches, "_prepare", cancelled_meanwhile)
    batch = write(collection, is_batched=True)
    assert (states(batch), server.batches, batch.calls) == ({"CANCELLED": 4}, {}, 0)


def test_texts_whose_results_are_missing_after_a_cancel_do_not_wait_for_ever(serve, collection, write, monkeypatch):
    serve(says=(json.dumps(["one way"]),))
    store, rounds = service_batches._store, []

    def lost_in_the_second_round(purpose, work, one, rows, results):
        rounds.append(len(rows))
        if len(rounds) == 2:
            cancel(purpose.batch)
            results = {}
        store(purpose, work, one, rows, results)

    monkeypatch.setattr(service_batches, "_store", lost_in_the_second_round)
    batch = write(collection, Batch.Purpose.VARIANTS, number=5, is_batched=True)
    engine.run_waiting()
    assert (states(batch), rounds) == ({"DONE": 4}, [4, 4])
    assert QueryVariant.objects.count() == 4


def test_a_row_whose_line_is_broken_is_handed_in_again_alone(serve, collection, write):
    server = serve(broken_lines=("", "{"))
    batch = write(collection, is_batched=True)
    assert states(batch) == {"DONE": 4}
    assert [len(names) for names, _ in list_hand_ins(server)] == [4, 1]
    assert (batch.calls, batch.lost_calls) == (4, 1)  # the broken one was answered, and paid
    assert Backstory.objects.count() == 4


def test_a_worker_that_died_between_a_hand_in_and_its_results_hands_nothing_in_twice(serve, collection):
    server = serve(looks=2, says=(json.dumps(["one way"]),) * 4 + (json.dumps(["another way"]),) * 4)
    plan = plan_variants(collection, number=2)
    batch = batch_life.start(collection=collection, plan=plan, by=None, now=factories.NOW)
    for hand_in in (1, 2):
        dead = engine.claim(work_id=batch.work_id)
        steps = batch_life.run(dead)
        while len(server.batches) < hand_in:
            if (step := next(steps)).not_before:  # it would be put off, and gone on with
                steps = batch_life.run(dead)
            dead.cursor = step.cursor
        steps.close()
        Work.objects.filter(pk=dead.pk).update(lease_until=factories.NOW, cursor=LINED_UP)
    engine.see_through(batch.work_id)
    batch.refresh_from_db()
    names = [name for names, _ in list_hand_ins(server) for name in names]
    assert (len(server.batches), len(names), len(set(names))) == (2, 8, 8)
    assert (states(batch), QueryVariant.objects.count()) == ({"DONE": 4}, 8)
    assert batch.calls == server.script.calls == 8


def test_a_paused_batch_that_goes_on_waits_for_what_is_with_the_service(serve, collection, write):
    server = serve(looks=3)

    def pause(row):
        if server.batches and not row.is_over:
            batch_life.pause(batch=Batch.objects.get(work=row))

    batch = write(collection, is_batched=True, on_step=pause)
    assert (batch.work.state, states(batch)) == (Work.State.STOPPED, {"SUBMITTED": 4})
    engine.see_through(batch_life.resume(batch=batch, by=None, now=factories.NOW).work_id)
    assert (states(batch), len(server.batches), Backstory.objects.count()) == ({"DONE": 4}, 1, 4)


def test_a_budget_holds_over_the_rounds(serve, collection, write):
    server = serve(says=(json.dumps(["one way"]),))
    batch = write(
        collection, Batch.Purpose.VARIANTS, number=5, rounds=10, is_batched=True, budget=Decimal("0.01"),
        model="claude-opus-5",
    )  # fmt: skip
    assert "The budget is spent" in batch.work.error
    assert 0 < batches.batch_cost(batch) <= Decimal("0.01")
    assert batch.calls == server.script.calls


def test_the_estimate_is_half_of_that_of_single_calls(collection):
    single, batched = (
        batch_life.estimate(
            collection=collection,
            plan=plan_variants(collection, service="openai", model="gpt-4o", is_batched=is_batched),
            now=factories.NOW,
        )
        for is_batched in (False, True)
    )
    assert batched.most_cost == single.most_cost / 2 > 0
    assert (batched.calls, batched.most_calls) == (single.calls, single.most_calls) == (4, 12)


def plan_variants(collection, **plan):
    profiles = prompts.choose_profiles(collection=collection, names=["neutral"], now=factories.NOW)
    return text_plan(collection, Batch.Purpose.VARIANTS, profiles=tuple(profiles), **{"is_batched": True, **plan})

"""Pausing, going on, cancelling, losing the lease: what was paid is kept, and nothing is written twice."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.grades import batches
from annotate.imports.operations import withdrawals
from annotate.models import Backstory, Batch, QueryVariant, Work
from annotate.suggestions.operations import batches as batch_life
from annotate.suggestions.operations import prompts
from annotate.suggestions.purposes.purpose import CannotAsk
from annotate.texts import operations as backstories_operations
from annotate.texts import operations as variants_operations
from annotate.texts.operations import CheckAnswer
from annotate.work import engine
from tests import factories
from tests.integration.annotate.suggestions.texts.conftest import text_plan

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection("here"), topics=10, passages=1)


def once_answered(server, do, after=1):
    """Something to do in the step after the service's first answers."""

    def on_step(row):
        if server.script.calls >= after and (asked := Batch.objects.filter(work=row).first()):
            do(asked)

    return on_step


def test_a_pause_keeps_what_was_under_way_and_going_on_asks_only_the_rest(serve, collection, write):
    server = serve(seconds=0.2)
    batch = write(collection, concurrency=3, on_step=once_answered(server, lambda one: batch_life.pause(batch=one)))
    assert batch.work.state == Work.State.STOPPED
    assert 3 < Backstory.objects.count() == batch.calls == server.script.calls < 10

    again = batch_life.resume(batch=batch, by=None, now=factories.NOW)
    engine.see_through(again.work_id)
    batch.refresh_from_db()
    assert batches.count_states(batch) == {"DONE": 10}
    assert Backstory.objects.count() == batch.calls == server.script.calls == 10


def test_a_cancelled_batch_asks_no_more_and_the_next_one_does(serve, collection, write):
    server = serve(seconds=0.2)
    cancel = once_answered(server, lambda one: batch_life.cancel(batch=one, by=None, now=factories.NOW))
    first = write(collection, concurrency=3, on_step=cancel)
    done = Backstory.objects.count()
    assert batches.count_states(first) == {"DONE": done, "CANCELLED": 10 - done}
    assert server.script.calls == done < 10
    assert batches.count_states(write(collection)) == {"DONE": 10 - done}


def test_what_a_cancelled_batch_had_of_an_unfinished_text_is_in_use_once(serve, collection, write):
    server = serve(seconds=0.1, says=(json.dumps(["one way"]),))
    cancel = once_answered(server, lambda one: batch_life.cancel(batch=one, by=None, now=factories.NOW), after=3)
    batch = write(collection, Batch.Purpose.VARIANTS, number=5, rounds=10, concurrency=2, on_step=cancel)
    written = batch.generations.filter(state="DONE")
    assert 0 < written.count() < 10
    assert QueryVariant.objects.count() == written.count()
    assert not batch.generations.filter(state="QUEUED").exists()
    assert batch.calls == server.script.calls


def test_a_worker_whose_lease_was_taken_stores_nothing(serve, collection, write):
    server = serve(seconds=0.1)

    def take_over(batch):
        past = timezone.now() - timedelta(minutes=1)
        if Work.objects.filter(pk=batch.work_id, attempts=1).update(lease_until=past):
            engine.run(engine.claim(work_id=batch.work_id))

    batch = write(collection, concurrency=2, on_step=once_answered(server, take_over))
    assert batches.count_states(batch) == {"DONE": 10}
    assert batch.calls == Backstory.objects.count() == 10
    assert server.script.calls <= 12  # two calls were under way


def test_what_came_to_no_text_is_asked_again_on_demand(serve, collection, write):
    server = serve(share=1.0, faults=("refusal",))
    batch = write(collection)
    assert batches.count_states(batch) == {"REFUSED": 10}
    server.script.share = 0
    again = batch_life.resume(batch=batch, by=None, now=factories.NOW)
    engine.see_through(again.work_id)
    assert batches.count_states(batch) == {"DONE": 10}
    assert batch.generations.first().answers[0] == "I think that"


def test_a_service_that_takes_nothing_stops_the_batch_with_a_sentence(serve, collection, write):
    serve()
    batch = write(collection, model="no-such-model")
    assert "anthropic takes no calls" in batch.work.error
    assert batches.count_states(batch) == {"QUEUED": 10}


def test_a_topic_that_two_batches_were_asked_for_at_once_gets_no_variant_twice(serve, collection, write):
    serve(says=(json.dumps(["one way"]),))
    chosen = tuple(prompts.choose_profiles(collection=collection, names=["child"], now=factories.NOW))
    plan = text_plan(collection, Batch.Purpose.VARIANTS, number=1, profiles=chosen)
    both = [
        batch_life.start(collection=collection, plan=plan, by=None, now=factories.NOW),
        batch_life.start(collection=collection, plan=plan, by=None, now=factories.NOW),
    ]
    for batch in both:
        engine.see_through(batch.work_id)
    assert QueryVariant.objects.count() == 10
    assert not both[1].generations.exists()


def test_what_a_batch_wrote_is_taken_out_and_can_be_asked_again(serve, collection, write):
    serve()
    batch = write(collection, Batch.Purpose.VARIANTS, number=2)
    assert batch_life.take_back(batch=batch) == 20
    assert not QueryVariant.objects.exists()
    assert batches.count_states(batch) == {"CANCELLED": 10}
    assert all(row.answers for row in batch.generations.all())
    write(collection, Batch.Purpose.VARIANTS, number=1)
    assert QueryVariant.objects.count() == 10


def test_a_batch_that_was_taken_up_in_this_moment_is_not_taken_back(serve, collection, write):
    serve()
    batch = write(collection, Batch.Purpose.VARIANTS, number=1)
    seen = Batch.objects.select_related("work").get(pk=batch.pk)
    batch_life.resume(batch=batch, by=None, now=factories.NOW)
    with pytest.raises(CannotAsk, match="under way"):
        batch_life.take_back(batch=seen)
    assert QueryVariant.objects.count() == 10


def test_approved_backstories_and_checked_variants_stay(serve, collection, write):
    serve()
    batch = write(collection)
    approved = Backstory.objects.first()
    backstories_operations.approve_version(backstory=approved)
    assert batch_life.take_back(batch=batch) == 9
    assert Backstory.objects.get() == approved

    written = write(collection, Batch.Purpose.VARIANTS, number=1)
    variants_operations.draw_checks(collection=collection, per_profile=1, people=1)
    variant = QueryVariant.objects.get(checks_wanted=1)
    variants_operations.record_check(
        member=factories.make_assessor(collection), variant_id=variant.pk, answer=CheckAnswer(True), now=factories.NOW
    )
    with pytest.raises(CannotAsk, match="they must stay"):
        batch_life.take_back(batch=written)


def test_topics_about_which_a_model_was_asked_are_not_withdrawn(serve, collection, write):
    serve()
    other = factories.import_text(collection, "TOPICS", "lone\ta topic of its own\n")
    write(collection)
    with pytest.raises(withdrawals.CannotWithdraw, match="its answers must stay"):
        withdrawals.request_withdrawal(imported=other, by=None, now=factories.NOW)

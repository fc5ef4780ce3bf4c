"""Backstories that a model writes, by the real SDKs over real HTTP."""

from decimal import Decimal

import pytest

from annotate.models import Backstory, Work
from annotate.suggestions.operations import batches as batch_life
from annotate.suggestions.purposes.purpose import CannotAsk
from annotate.texts import operations as backstories_operations
from annotate.texts.queries import backstories as backstories_queries
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("service", ["anthropic", "openai"])
def test_every_topic_without_one_gets_a_draft_that_knows_its_batch(serve, collection, write, service):
    serve()
    batch = write(collection, service=service)
    assert batch.work.state == Work.State.DONE
    drafts = Backstory.objects.order_by("topic")
    assert [(one.state, one.origin, one.is_current, one.version) for one in drafts] == [
        ("DRAFT", "GENERATED", False, 1)
    ] * 2
    assert {one.generation.batch for one in drafts} == {batch}
    assert batch.calls == 2


def test_a_draft_is_read_by_nobody_until_it_is_approved(serve, collection, write):
    serve()
    write(collection)
    assessor = factories.make_assessor(collection)
    assert factories.claim(assessor).backstory is None
    assert not backstories_queries.topics_with_backstory(collection).exists()
    assert backstories_operations.approve_drafts(collection=collection) == 2
    assert set(Backstory.objects.values_list("state", "is_current")) == {("APPROVED", True)}
    factories.judge(assessor)
    assert factories.claim(assessor).backstory is not None
    assert backstories_operations.approve_drafts(collection=collection) == 0


def test_a_text_that_repeats_the_query_is_asked_again_and_the_better_one_kept(serve, collection, write):
    server = serve(says=("All of q1 and of q2.",) * 2 + ("Something else is wanted.",) * 2)
    batch = write(collection, concurrency=1)
    assert server.script.calls == 4
    assert set(Backstory.objects.values_list("text", flat=True)) == {"Something else is wanted."}
    assert set(batch.generations.values_list("cause", "rounds")) == {("", 2)}
    assert batch.generations.first().answers == ["All of q1 and of q2.", "Something else is wanted."]


def test_what_stays_above_the_bound_is_kept_and_marked_after_the_last_round(serve, collection, write):
    server = serve(says=("It is about q1, that is q2.",))
    batch = write(collection, rounds=2)
    assert server.script.calls == 4
    assert set(batch.generations.values_list("state", "cause")) == {("DONE", "above the bound")}
    assert Backstory.objects.count() == 2


def test_the_second_request_names_the_words_that_came_back(serve, collection, write):
    serve(says=("It is about q1 and q2.",))
    row = write(collection, rounds=1).generations.select_related("topic").order_by("pk").first()
    request = batch_life.find_purpose(row.batch).message(row)
    assert "Do without these words, and without words of the same stem: q1." in request.text


@pytest.mark.parametrize(
    ("fault", "state", "calls"), [("refusal", "REFUSED", 2), ("empty", "EMPTY", 6), ("too long", "TRUNCATED", 4)]
)
def test_an_answer_without_a_text_is_a_state_and_no_backstory(serve, collection, write, fault, state, calls):
    server = serve(share=1.0, faults=(fault,))
    batch = write(collection)
    assert set(batch.generations.values_list("state", flat=True)) == {state}
    assert server.script.calls == calls
    assert not Backstory.objects.exists()


def test_faults_that_pass_leave_no_gap(serve, collection, write):
    serve(share=1.0, faults=("429", "500", "reset", "cut"))
    batch = write(collection)
    assert set(batch.generations.values_list("state", flat=True)) == {"DONE"}
    assert batch.generations.filter(attempts__gt=1).exists()


def test_topics_that_have_one_or_a_draft_are_left_out_unless_every_one_is_wanted(serve, collection, write):
    serve()
    topic = collection.topics.first()
    backstories_operations.add_version(topic=topic, text="mine", origin="WRITTEN", by=None, now=factories.NOW)
    assert write(collection).generations.count() == 1
    with pytest.raises(CannotAsk, match="has a backstory or a draft"):
        write(collection)
    assert write(collection, scope="EVERY").generations.count() == 2
    assert Backstory.objects.get(topic=topic, is_current=True).text == "mine"


def test_a_budget_stops_before_it_is_passed(serve, collection, write):
    server = serve()
    batch = write(collection, model="claude-opus-5", budget=Decimal("0.01"), concurrency=1)
    assert "The budget is spent" in batch.work.error
    assert server.script.calls == 0


def test_an_answer_that_no_database_takes_is_kept_with_its_signs_replaced(serve, collection, write):
    serve(says=("half \ud83d and \0 nothing",))
    batch = write(collection)
    assert batch.generations.first().answers == ["half \ufffd and \ufffd nothing"]
    assert Backstory.objects.first().text == "half \ufffd and \ufffd nothing"

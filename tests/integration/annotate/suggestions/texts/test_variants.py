"""Query variants that a model writes: as many as are wanted, each new, each under an id that tells nothing."""

import json

import pytest

from annotate.imports.operations import withdrawals
from annotate.models import Batch, Generation, QueryVariant
from annotate.suggestions.operations import batches, prompts
from annotate.suggestions.purposes.purpose import CannotAsk
from annotate.texts import operations as backstories_operations
from annotate.texts import operations as variants_operations
from annotate.work import engine
from tests import factories
from tests.integration.annotate.suggestions.texts.conftest import text_plan

pytestmark = pytest.mark.django_db(transaction=True)
VARIANTS = Batch.Purpose.VARIANTS


def said(*texts: str) -> str:
    return json.dumps(list(texts))


@pytest.mark.parametrize("service", ["anthropic", "openai"])
def test_each_topic_gets_so_many_of_each_profile(serve, collection, write, service):
    server = serve()
    batch = write(collection, VARIANTS, service=service, profile_names=("child", "expert"), number=2)
    rows = QueryVariant.objects.order_by("topic", "profile", "number")
    assert list(rows.values_list("topic__query_id", "profile__name", "number")) == [
        (topic, profile, number) for topic in ("q1", "q2") for profile in ("child", "expert") for number in (1, 2)
    ]
    assert server.script.calls == batch.calls == 4
    assert all(row.generation.batch == batch for row in rows)
    assert len(set(rows.values_list("text", flat=True))) == 8


def test_ids_tell_nothing_and_are_the_same_for_the_same_collection(collection):
    topic = collection.topics.first()
    profile = prompts.use_built_in_profile(collection=collection, name="child", now=factories.NOW)
    two = variants_operations.add_variants(
        collection=collection, topic=topic, profile=profile, texts=["a", "b"], now=factories.NOW
    )
    assert [row.number for row in two] == [1, 2]
    ids = [row.variant_id for row in two]
    assert all(len(one) == 13 and one.startswith("v") for one in ids) and len(set(ids)) == 2
    QueryVariant.objects.all().delete()
    again = variants_operations.add_variants(
        collection=collection, topic=topic, profile=profile, texts=["a", "b"], now=factories.NOW
    )
    assert [row.variant_id for row in again] == ids


def test_another_wording_in_the_place_of_one_has_an_id_of_its_own(collection):
    """A run that ranked the one would stand for the other."""
    topic = collection.topics.first()
    profile = prompts.use_built_in_profile(collection=collection, name="child", now=factories.NOW)
    [first] = variants_operations.add_variants(
        collection=collection, topic=topic, profile=profile, texts=["a"], now=factories.NOW
    )
    first.delete()
    [second] = variants_operations.add_variants(
        collection=collection, topic=topic, profile=profile, texts=["b"], now=factories.NOW
    )
    assert (second.number, second.variant_id != first.variant_id) == (1, True)


def test_an_id_that_a_topic_has_already_is_not_given_to_a_variant(collection):
    topic = collection.topics.first()
    profile = prompts.use_built_in_profile(collection=collection, name="child", now=factories.NOW)
    [first] = variants_operations.add_variants(
        collection=collection, topic=topic, profile=profile, texts=["a"], now=factories.NOW
    )
    taken = first.variant_id
    first.delete()
    factories.import_text(collection, "TOPICS", f"{taken}\tanother\n")
    [second] = variants_operations.add_variants(
        collection=collection, topic=topic, profile=profile, texts=["a"], now=factories.NOW
    )
    assert second.variant_id != taken


def test_what_is_there_already_is_asked_for_again_until_it_is_new(serve, collection, write):
    server = serve(says=(said("What is Q1?", "what is q2", "one  way", "One way!"), said("another way")))
    batch = write(collection, VARIANTS, number=2, concurrency=1)
    texts = QueryVariant.objects.filter(topic__query_id="q1").order_by("number").values_list("text", flat=True)
    assert list(texts) == ["what is q2", "one way"]  # the other topic's query is another wording here
    row = batch.generations.get(topic__query_id="q2")
    assert (row.texts, row.state) == (["another way", "What is Q1?"], "DONE")
    assert server.script.calls == 3


def test_after_the_last_round_what_there_is_is_kept_and_the_row_says_how_much(serve, collection, write):
    server = serve(says=(said("one way"),))
    batch = write(collection, VARIANTS, number=3, rounds=2)
    assert server.script.calls == 4
    assert set(batch.generations.values_list("state", "cause")) == {("DONE", "1 of 3")}
    assert QueryVariant.objects.count() == 2


def test_a_later_batch_asks_only_for_what_is_missing_and_numbers_go_on(serve, collection, write):
    server = serve(says=(said("one way"),))
    write(collection, VARIANTS, number=2, rounds=1)
    server.script.says = (said("one way", "second way"),)
    later = write(collection, VARIANTS, number=2)
    assert [row.texts for row in later.generations.all()] == [["second way"], ["second way"]]
    assert list(QueryVariant.objects.filter(topic__query_id="q1").values_list("number", "text")) == [
        (1, "one way"),
        (2, "second way"),
    ]
    with pytest.raises(CannotAsk, match="has 2 variants of these profiles already"):
        write(collection, VARIANTS, number=2)


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("1. one way\n2. another way", "UNPARSED"),
        ('{"variants": ["one way"]}', "UNPARSED"),
        ('["one way", 3]', "UNPARSED"),
        ('Here they are: ["one way"]', "UNPARSED"),
        ("[]", "EMPTY"),
        ('["", " ", "?!"]', "EMPTY"),
    ],
)
def test_only_an_array_of_new_wordings_is_taken_and_all_answers_are_kept(serve, collection, write, answer, state):
    server = serve(says=(answer,))
    batch = write(collection, VARIANTS, number=1, rounds=2)
    row = batch.generations.get(topic__query_id="q1")
    assert (row.state, row.texts, row.answers) == (state, [], [answer, answer])
    assert server.script.calls == 4
    assert not QueryVariant.objects.exists()


def test_one_code_fence_around_the_array_is_taken_off(serve, collection, write):
    serve(says=('```json\n["one\\n way"]\n```',))
    write(collection, VARIANTS, number=1)
    assert set(QueryVariant.objects.values_list("text", flat=True)) == {"one way"}


def test_the_need_and_the_profile_are_told_and_the_control_says_nothing_of_a_person(serve, collection, write):
    serve()
    topic = collection.topics.get(query_id="q1")
    backstories_operations.add_version(
        topic=topic, text="Somebody is lost.", origin="WRITTEN", by=None, now=factories.NOW
    )
    batch = write(collection, VARIANTS, profile_names=("retired-nurse",))
    row = batch.generations.select_related("topic", "profile").get(topic=topic)
    row.texts = []
    request = batches.find_purpose(batch).message(row)
    assert "Somebody is lost." in request.text and "nurse" in request.text
    assert "These are there already" in request.text


def test_temperature_1_is_anthropics_own_and_a_lower_one_is_warned_of(serve, collection, write):
    server = serve()
    write(collection, VARIANTS, temperature=1.0)
    assert "temperature" not in server.script.asked[-1]
    write(collection, VARIANTS, service="openai", temperature=1.0, profile_names=("child",))
    assert server.script.asked[-1]["temperature"] == 1.0
    batch = write(collection, VARIANTS, temperature=0.2, profile_names=("expert",))
    assert server.script.asked[-1]["temperature"] == 0.2
    assert "repeat each other" in batch.note


@pytest.mark.parametrize(
    ("plan", "word"),
    [
        ({"model": " "}, "Name the model"),
        ({"number": 0}, "1 to 50 variants"),
        ({"rounds": 11}, "1 to 10 times"),
        ({"temperature": float("nan")}, "from 0 to 2"),
        ({"concurrency": 0}, "Between 1 and"),
        ({"per_minute": -1}, "from 0 on"),
        ({"model": "vicuna-7b", "budget": 1}, "a budget cannot be kept"),
        ({"profile_names": ()}, "at least one profile"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_with_a_sentence(serve, collection, write, plan, word):
    server = serve()
    with pytest.raises(CannotAsk, match=word):
        write(collection, VARIANTS, **plan)
    assert server.script.asked == []


def test_the_estimate_bounds_what_it_will_cost(serve, collection, write):
    serve()
    chosen = tuple(prompts.choose_profiles(collection=collection, names=["all"], now=factories.NOW))
    plan = text_plan(collection, VARIANTS, profiles=chosen)
    told = batches.estimate(collection=collection, plan=plan, now=factories.NOW)
    assert (told.items, told.calls, told.most_calls) == (2 * 19 * 3, 38, 114)
    assert not Batch.objects.exists()
    assert told.most_cost > 0


def test_a_wording_that_differs_in_signs_that_nobody_sees_is_no_new_one(serve, collection, write):
    serve(says=(said("what is\u200b q1", "\ufeffwhat is q2", "one way", "one\x1b w\u00aday"),))
    batch = write(collection, VARIANTS, number=3, rounds=1)
    assert batch.generations.get(topic__query_id="q1").texts == ["\ufeffwhat is q2", "one way"]
    assert batch.generations.get(topic__query_id="q2").texts == ["what is\u200b q1", "one way"]


def test_topics_that_are_withdrawn_while_rows_are_lined_up_get_none(serve, collection):
    serve()
    other = factories.import_text(collection, "TOPICS", "lone\ta topic of its own\n")

    chosen = tuple(prompts.choose_profiles(collection=collection, names=["child"], now=factories.NOW))
    plan = text_plan(collection, VARIANTS, number=1, profiles=chosen)
    batch = batches.start(collection=collection, plan=plan, by=None, now=factories.NOW)
    purpose = batches.find_purpose(batch)
    rows = purpose.list_wanted()
    queued = withdrawals.request_withdrawal(imported=other, by=None, now=factories.NOW)
    purpose._make_rows(rows)
    assert set(batch.generations.values_list("topic__query_id", flat=True)) == {"q1", "q2"}
    engine.run(engine.claim(work_id=queued.pk))
    other.refresh_from_db()
    assert other.state == "WITHDRAWN"


def test_repeats_are_kept_where_that_is_asked_for_and_the_model_is_asked_once(serve, collection, write):
    server = serve(says=(said("a hole", "A hole!", "what is q1"), said("b", "b", " ", "b")))
    batch = write(collection, "VARIANTS", number=3, keeps_repeats=True, concurrency=1)
    kept = QueryVariant.objects.order_by("topic", "number").values_list("text", flat=True)
    assert list(kept) == ["a hole", "A hole!", "what is q1", "b", "b", "b"]
    assert (batch.calls, batch.parameters["keeps_repeats"]) == (2, True)
    assert len(server.script.asked) == 2


@pytest.mark.parametrize("is_alone", [True, False])
def test_variants_are_written_from_the_query_alone_where_that_is_asked_for(collection, is_alone):
    topic = collection.topics.get(query_id="q1")
    told = {"topic": topic, "text": "A gardener has moles.", "origin": "WRITTEN"}
    backstories_operations.add_version(**told, by=None, now=factories.NOW)
    plan = text_plan(collection, "VARIANTS", profiles=tuple(chosen(collection, "child")), from_query_alone=is_alone)
    message = batches.find_purpose(plan.draft(collection, factories.NOW)).message(
        Generation(topic=topic, profile=plan.profiles[0])
    )
    assert ("moles" in message.text) == (not is_alone)
    assert "Language: " in message.text and "Device: " in message.text and "Interaction: " in message.text


def test_the_neutral_control_is_asked_for_without_a_profile(collection):
    [neutral] = chosen(collection, "neutral")
    plan = text_plan(collection, "VARIANTS", profiles=(neutral,))
    topic = collection.topics.get(query_id="q1")
    message = batches.find_purpose(plan.draft(collection, factories.NOW)).message(
        Generation(topic=topic, profile=neutral)
    )
    assert "what is q1" in message.text and message.text.endswith("Write 3 wordings.")
    assert neutral.background not in message.text and "profile" not in message.text


def chosen(collection, *names):
    return prompts.choose_profiles(collection=collection, names=list(names), now=factories.NOW)

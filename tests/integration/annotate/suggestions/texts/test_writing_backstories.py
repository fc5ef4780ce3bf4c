"""The pages on which backstories are asked for, approved and compared."""

import pytest
from django.urls import reverse

from annotate.collections import queries as collections_queries
from annotate.models import Backstory, Batch, Generation
from annotate.texts import operations as backstories_operations
from annotate.texts.queries import backstories as backstories_queries
from tests import factories, visitors
from tests.integration.annotate.suggestions.conftest import MODEL

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection("here"), topics=2, passages=2)


@pytest.fixture
def researcher(collection):
    return visitors.researcher(collection)


def at(name: str, *args: object) -> str:
    return reverse(name, args=["here", *args])


def draft(topic, text: str) -> Backstory:
    batch = Batch.objects.create(
        collection=topic.collection, purpose="BACKSTORIES", judge="anthropic", created_at=factories.NOW,
        parameters={"model": MODEL, "bound": 0.3, "rounds": 3},
    )  # fmt: skip
    written = Generation.objects.create(batch=batch, topic=topic, state="DONE", created_at=factories.NOW)
    return backstories_operations.add_draft(topic=topic, text=text, generation=written, now=factories.NOW)


FORM = {
    "service": "anthropic", "model": MODEL, "rounds": 2, "concurrency": 4, "per_minute": 0,
    "scope": "MISSING", "bound": "0.4", "prompt": "built-in:backstory",
}  # fmt: skip


def test_a_dry_run_comes_first_and_makes_no_call(serve, researcher):  # noqa: F811
    server = serve()
    page = researcher.post(at("write_backstories"), FORM)
    assert "2 to 4 calls" in visitors.words(page)
    assert "Start: 2 calls or more" in visitors.words(page)
    assert server.script.asked == [] and not Batch.objects.exists()


def test_the_batch_api_costs_half_and_the_page_of_the_batch_names_it(serve, researcher):
    serve()
    openai = {**FORM, "service": "openai", "model": "gpt-4o"}
    single = researcher.post(at("write_backstories"), openai).context["estimate"]
    batched = researcher.post(at("write_backstories"), {**openai, "is_batched": "on"}).context["estimate"]
    assert batched.most_cost == single.most_cost / 2 > 0
    page = researcher.post(at("write_backstories"), {**openai, "is_batched": "on", "start": "1"}, follow=True)
    assert "2 times at most; by the Batch API." in visitors.words(page)
    assert Batch.objects.get().is_batched


@pytest.mark.postgresql
def test_the_start_leads_to_the_batch_which_tells_what_is_asked(serve, researcher):  # noqa: F811
    serve()
    page = researcher.post(at("write_backstories"), {**FORM, "start": "1"}, follow=True)
    words = visitors.words(page)
    assert f"Backstories by {MODEL}" in words
    assert "asked again while a text repeats more than 40 % of the query's words, 2 times at most" in words
    assert f"Backstories by {MODEL}" in visitors.words(researcher.get(at("backstories")))
    cancelled = researcher.post(at("cancel_batch", Batch.objects.get().pk), follow=True)
    assert "Cancelled: nothing more is asked" in visitors.words(cancelled)


def test_without_a_key_the_page_says_what_to_set(researcher, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert "Set ANTHROPIC_API_KEY" in visitors.words(researcher.get(at("write_backstories")))
    refused = researcher.post(at("write_backstories"), {**FORM, "start": "1"})
    assert refused.status_code == 422 and not Batch.objects.exists()


@pytest.mark.postgresql
def test_a_draft_stands_beside_what_is_in_force_until_it_is_approved(collection, researcher):
    topic = collection.topics.get(query_id="q2")
    backstories_operations.add_version(topic=topic, text="the old need", origin="WRITTEN", by=None, now=factories.NOW)
    waiting = draft(topic, "somebody asks of q2 again")
    words = visitors.words(researcher.get(at("backstories")))
    assert words.index("what is q2") < words.index("what is q1")
    assert "the old need" in words and "somebody asks of q2 again" in words
    assert "repeats 100 % of the query q2" in words

    words = visitors.words(researcher.post(at("approve_backstory", waiting.pk), follow=True))
    assert "The backstory of q2 is what people and models read now: version 2." in words
    assert Backstory.objects.get(is_current=True) == waiting
    assert "the old need" not in words


def test_all_drafts_are_approved_at_once(collection, researcher):
    for topic in collection.topics.all():
        draft(topic, "a first try")
        draft(topic, f"a need of {topic}")
    assert "Approve all 2 drafts" in visitors.words(researcher.get(at("backstories")))
    words = visitors.words(researcher.post(at("approve_backstories"), follow=True))
    assert "2 drafts are what people and models read now." in words
    assert set(Backstory.objects.filter(is_current=True).values_list("text", flat=True)) == {
        "a need of q1",
        "a need of q2",
    }


def test_an_edited_draft_is_a_version_in_force_and_the_draft_waits_no_more(collection, researcher):
    topic = collection.topics.first()
    draft(topic, "a draft")
    researcher.post(at("write_backstory", topic.pk), {"text": "a draft, mended"})
    current = Backstory.objects.get(topic=topic, is_current=True)
    assert (current.version, current.origin, current.state) == (2, "WRITTEN", "APPROVED")
    assert "Approve all" not in visitors.words(researcher.get(at("backstories")))


@pytest.mark.postgresql
def test_versions_stand_side_by_side_with_what_changed_marked(collection, researcher):
    topic = collection.topics.first()
    backstories_operations.add_version(
        topic=topic, text="in need of water", origin="WRITTEN", by=None, now=factories.NOW
    )
    draft(topic, "in need of <b>bread</b>")
    page = researcher.get(at("backstory_versions", topic.pk))
    content = page.content.decode()
    assert "<mark>&lt;b&gt;bread&lt;/b&gt;</mark>" in content
    assert content.index("bread") < content.index("water")
    assert "<mark>water" not in content


def test_a_topic_of_another_collection_has_no_versions_here(collection, researcher):
    other = factories.make_holes(factories.make_collection(), topics=1, passages=1)
    assert researcher.get(at("backstory_versions", other.topics.first().pk)).status_code == 404


@pytest.mark.parametrize("name", ["write_backstories", "compare_needs"])
def test_only_researchers_ask_for_texts(collection, name):
    assert visitors.assessor(collection).get(at(name)).status_code == 403
    assert visitors.stranger().get(at(name)).status_code == 404


def test_a_word_of_the_query_is_found_again_by_its_stem():
    assert backstories_queries.measure_overlap("growing plants", "he grows a plant") == 1.0
    assert backstories_queries.list_shared_words("how to grow plants", "a plant was eaten") == ["plants"]
    assert backstories_queries.measure_overlap("what is it", "a plant") is None


COMPARED = {
    "service": "anthropic", "model": MODEL, "prompt": "built-in:direct", "scope": "POOL", "concurrency": 4,
    "per_minute": 0, "budget": "9",
}  # fmt: skip


@pytest.mark.postgresql
def test_one_click_after_the_dry_run_starts_three_batches_of_the_same_pairs(serve, collection, researcher):  # noqa: F811
    serve()
    backstories_operations.add_version(
        topic=collection.topics.first(), text="a need", origin="WRITTEN", by=None, now=factories.NOW
    )
    words = visitors.words(researcher.post(at("compare_needs"), COMPARED))
    assert "6 calls in three batches 2 pairs each" in words
    words = visitors.words(researcher.post(at("compare_needs"), {**COMPARED, "start": "1"}, follow=True))
    assert "3 batches are under way." in words
    made = Batch.objects.order_by("pk")
    assert [(one.parameters["against"], one.pairs, one.budget) for one in made] == [
        ("QUERY", 2, 3),
        ("BACKSTORY", 2, 3),
        ("BOTH", 2, 3),
    ]
    assert "How they agree" in words
    assert len({one.rater for one in made}) == 3


def test_without_any_backstory_there_is_nothing_to_compare(serve, researcher):  # noqa: F811
    serve()
    page = researcher.post(at("compare_needs"), COMPARED)
    assert page.status_code == 422
    assert "no topic of theirs has a backstory" in visitors.words(page)


def test_the_batch_shows_the_answers_that_were_of_no_use_as_they_were(collection, researcher):
    written = draft(collection.topics.first(), "A need.")
    Generation.objects.filter(pk=written.generation_id).update(
        state="UNPARSED", answers=["<b>one</b>", ""], cause="", stop_reason="end_turn"
    )
    page = researcher.get(at("batch", written.generation.batch_id))
    assert "&lt;b&gt;one&lt;/b&gt;" in page.content.decode()
    assert "what is q1 q1 : not parsed stopped: end_turn" in visitors.words(page)
    assert "an empty answer" in visitors.words(page)


def test_texts_that_are_asked_for_leave_the_scale_free(collection):
    written = draft(collection.topics.first(), "A need.")
    assert not collections_queries.has_stored_grades(collection)
    Batch.objects.filter(pk=written.generation.batch_id).update(purpose="PROBE")
    assert collections_queries.has_stored_grades(collection)

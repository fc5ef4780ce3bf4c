"""The page of query variants and of profiles: what is there, what is measured, who is asked."""

import pytest
from django.urls import reverse

from annotate.models import Profile, QueryVariant, Work
from annotate.suggestions.operations import prompts
from annotate.suggestions.purposes.texts import Texts
from annotate.texts import operations as variants_operations
from annotate.texts.queries import variants as variants_queries
from annotate.work import engine
from tests import factories, visitors
from tests.integration.annotate.suggestions.conftest import MODEL, serve  # noqa: F401

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection("here"), topics=2, passages=3)


@pytest.fixture
def researcher(collection):
    return visitors.researcher(collection)


@pytest.fixture
def add(collection):
    def write(query_id: str, profile: str, *texts: str) -> list[QueryVariant]:
        made = prompts.use_built_in_profile(collection=collection, name=profile, now=factories.NOW)
        topic = collection.topics.get(query_id=query_id)
        return variants_operations.add_variants(
            collection=collection, topic=topic, profile=made, texts=texts, now=factories.NOW
        )

    return write


def at(name: str, *args: object) -> str:
    return reverse(name, args=["here", *args])


def measure(collection) -> Work:
    queued = variants_operations.request_measures(collection=collection, by=None, now=factories.NOW)
    engine.run(engine.claim(work_id=queued.pk))
    return Work.objects.get(pk=queued.pk)


def test_without_variants_the_page_says_how_they_come(researcher):
    words = visitors.words(researcher.get(at("variants")))
    assert "No variants yet" in words and "Have them written by a model" in words


def test_measures_are_stored_beside_each_variant(collection, add):
    [one] = add("q1", "child", "the pasage tells of q1 please")
    assert measure(collection).state == Work.State.DONE
    one.refresh_from_db()
    assert one.measured == {
        "jaccard": 0.25, "words": 6, "grade": pytest.approx(one.measured["grade"]),
        "unknown": ["pasage", "please"], "unknown_words": 2, "jaccard_words": 1 / 8, "edition": 2,
    }  # fmt: skip


def test_a_variant_without_letters_has_no_grade_and_sorts_last(collection, add, researcher):
    add("q1", "child", "42?!", "what is a passage")
    measure(collection)
    page = variants_queries.list_variants(collection, sort="grade")
    assert [one.text for one in page] == ["what is a passage", "42?!"]
    assert [one.text for one in variants_queries.list_variants(collection, sort="-grade")] == [
        "what is a passage",
        "42?!",
    ]
    assert "no words" in visitors.words(researcher.get(at("variants")))


@pytest.mark.postgresql
@pytest.mark.parametrize("sort", ["topic", "-profile", "text", "jaccard", "-words", "grade", "unknown_words", "bogus"])
def test_every_column_sorts(collection, add, researcher, sort):
    add("q1", "child", "one", "one two")
    add("q2", "expert", "three four five")
    measure(collection)
    page = researcher.get(at("variants"), {"sort": sort})
    assert page.status_code == 200
    if sort == "-words":
        assert [one.text for one in page.context["page"]] == ["three four five", "one two", "one"]


def test_means_by_profile_have_their_deviation_and_one_alone_has_none(collection, add, researcher):
    add("q1", "child", "one two", "one two three four")
    add("q2", "expert", "one")
    measure(collection)
    child, expert = variants_queries.summarize_profiles(collection)
    (words_of_child, _), (words_of_expert, _) = child.spreads[2], expert.spreads[2]
    assert (words_of_child.mean, words_of_child.sd) == (3.0, pytest.approx(2**0.5))
    assert (words_of_expert.mean, words_of_expert.sd) == (1.0, None)
    assert "one only" in visitors.words(researcher.get(at("variants")))


def test_what_is_not_measured_is_said_and_can_be(collection, add, researcher):
    add("q1", "child", "one")
    assert "1 variant is not measured yet" in visitors.words(researcher.get(at("variants")))
    answer = researcher.post(at("measure_variants"))
    assert answer.url == reverse("work_progress", args=["here", Work.objects.latest("pk").pk])


@pytest.mark.postgresql
def test_profile_and_topic_narrow_the_table(collection, add, researcher):
    add("q1", "child", "one")
    add("q2", "child", "two")
    add("q2", "expert", "three")
    page = researcher.get(at("variants"), {"profile": "child", "topic": "q2"}).context["page"]
    assert [one.text for one in page] == ["two"]
    assert "None fits." in visitors.words(researcher.get(at("variants"), {"profile": "<script>"}))


@pytest.mark.parametrize("name", ["profile", "topic", "sort", "page"])
def test_a_nul_in_the_address_is_no_fault(collection, add, researcher, name):
    add("q1", "child", "one")
    assert researcher.get(at("variants"), {name: "\0"}).status_code == 200


@pytest.mark.parametrize("choice", ["\u00b2", "9" * 30, "9" * 5000, "\0", "-1", "<b>"])
def test_profiles_begin_empty_where_the_address_names_none(researcher, choice):
    page = researcher.get(at("profiles"), {"from": choice})
    assert page.status_code == 200
    assert page.context["form"].initial == {}


@pytest.mark.postgresql
def test_what_is_taken_out_while_it_is_measured_stops_nothing(collection, add, monkeypatch):
    gone, stays = add("q1", "child", "one", "two")
    store = variants_operations._store_measures

    def late(rows, known):
        gone.delete()
        store(rows, known)

    monkeypatch.setattr(variants_operations, "_store_measures", late)
    assert measure(collection).state == Work.State.DONE
    assert QueryVariant.objects.get(measured__words=1) == stays


@pytest.mark.postgresql
def test_hostile_texts_are_shown_as_written(collection, add, researcher):
    add("q1", "child", "<script>alert(1)</script>")
    measure(collection)
    assert "<script>alert" not in researcher.get(at("variants")).content.decode()


FORM = {
    "service": "anthropic", "model": MODEL, "rounds": 2, "concurrency": 4, "per_minute": 0, "number": 3,
    "temperature": "0.5", "profiles": ["child", "expert"], "prompt": "built-in:variants",
}  # fmt: skip


@pytest.mark.postgresql
def test_a_lowered_temperature_is_warned_of_before_the_start(serve, researcher):  # noqa: F811
    serve()
    words = visitors.words(researcher.post(at("write_variants"), FORM))
    assert "A temperature below 1 makes wordings repeat each other." in words
    assert "12 texts 4 to 8 calls" in words
    page = researcher.post(at("write_variants"), {**FORM, "start": "1"}, follow=True)
    assert f"Query variants by {MODEL}" in visitors.words(page)
    assert "A temperature below 1" in visitors.words(page)


def test_a_budget_of_nothing_is_no_leave_to_spend_anything(serve, researcher):  # noqa: F811
    serve()
    page = researcher.post(at("write_variants"), {**FORM, "budget": "0", "start": "1"})
    assert page.status_code == 422
    assert not Work.objects.filter(kind=Texts.work_kind).exists()


def test_no_profile_is_refused(serve, researcher):  # noqa: F811
    serve()
    page = researcher.post(at("write_variants"), {**FORM, "profiles": []})
    assert page.status_code == 422


@pytest.mark.postgresql
def test_a_profile_of_ones_own_is_kept_and_other_words_make_a_version(collection, researcher):
    said = {"name": "night owl", "group": "OTHER", "background": "Searches at night.", "factors": "Tired words."}
    assert "Kept as version 1 of night owl." in visitors.words(researcher.post(at("profiles"), said, follow=True))
    researcher.post(at("profiles"), said)
    assert Profile.objects.count() == 1
    words = visitors.words(researcher.post(at("profiles"), {**said, "factors": "Awake."}, follow=True))
    assert "Kept as version 2 of night owl." in words
    assert list(Profile.objects.order_by("version").values_list("version", "is_current")) == [(1, False), (2, True)]
    assert "night owl" in visitors.words(researcher.get(at("write_variants")))
    researcher.post(at("profiles"), said)
    assert Profile.objects.get(is_current=True).version == 1


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"name": "child"}, "one of Lacuna's own profiles"),
        ({"name": "all"}, "it stands for all of Lacuna's own"),
        ({"name": "a/b"}, "begins with a letter or digit"),
        ({"background": " "}, "This field is required"),
    ],
)
def test_a_profile_that_cannot_be_is_refused_and_stays_in_the_form(researcher, change, word):
    said = {"name": "night owl", "group": "OTHER", "background": "Searches at night.", "factors": ""}
    page = researcher.post(at("profiles"), {**said, **change})
    assert page.status_code == 422 and word in visitors.words(page)
    assert not Profile.objects.exists()


def test_a_profile_of_lacunas_can_be_begun_with(researcher):
    page = researcher.get(at("profiles"), {"from": "scientist"})
    assert page.context["form"].initial["group"] == "PERSONA"


@pytest.mark.parametrize("name", ["variants", "write_variants", "profiles"])
def test_only_researchers_see_them(collection, name):
    assert visitors.assessor(collection).get(at(name)).status_code == 403
    assert visitors.stranger().get(at(name)).status_code == 404


def test_each_profile_is_tested_against_the_neutral_control_and_has_its_diversity(collection, add, researcher):
    add("q1", "neutral", "one", "two two")
    add("q1", "child", "one two three", "one two three four")
    measure(collection)
    neutral, child = variants_queries.summarize_profiles(collection)
    assert [test for _, test in neutral.spreads] == [None] * 5
    assert child.spreads[2][1] == (4.0, pytest.approx(0.2453, abs=1e-4))
    assert (neutral.diversity, child.diversity) == (2 / 3, 4 / 7)
    page = visitors.words(researcher.get(at("variants")))
    assert "U = 4, p = 0.245" in page and "0.57" in page


def test_what_was_measured_before_a_measure_came_is_not_measured_yet(collection, add, researcher):
    add("q1", "child", "one")
    measure(collection)
    assert variants_queries.count_unmeasured(collection) == 0
    collection.variants.update(measured={"words": 1, "unknown": [], "unknown_words": 0})
    assert "1 variant is not measured yet" in visitors.words(researcher.get(at("variants")))
    measure(collection)
    assert variants_queries.count_unmeasured(collection) == 0

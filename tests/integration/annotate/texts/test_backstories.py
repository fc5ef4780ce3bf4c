"""A backstory that an assessor finds wrong, and the researcher's page that mends it."""

import pytest
from django.urls import reverse

from annotate.models import Backstory, BackstoryFlag, Judgment
from annotate.texts import operations as backstories_operations
from tests import factories, visitors

HTMX = {"HX-Request": "true"}


@pytest.fixture
def collection(db):
    collection = factories.make_holes(factories.make_collection("here"), topics=2, passages=2)
    for topic in collection.topics.order_by("pk"):
        backstories_operations.add_version(
            topic=topic, text=f"in need of {topic}", origin="IMPORTED", by=None, now=factories.NOW
        )
    return collection


@pytest.fixture
def assessor(collection):
    return factories.make_assessor(collection)


@pytest.fixture
def researcher(collection):
    return visitors.researcher(collection)


def at(name: str, *args: object) -> str:
    return reverse(name, args=["here", *args])


def flag(assessor, comment: str = "", **headers: str):
    """The answer to the button on the assessor's present card."""
    backstory = factories.claim(assessor).backstory
    return visitors.of(assessor.user).post(
        at("flag_backstory", backstory.pk), {"flag_comment": comment}, headers=headers
    )


def test_a_flag_is_stored_with_its_comment_and_leaves_the_pair_claimed(assessor):
    answer = flag(assessor, "q1 was asked in Paris", **HTMX)

    assert "a researcher will look at this backstory" in visitors.words(answer)
    assert "<html" not in answer.content.decode()
    told = BackstoryFlag.objects.get()
    assert (told.assessor, told.comment, told.backstory.state) == (assessor, "q1 was asked in Paris", "FLAGGED")
    assert factories.claim(assessor).backstory == told.backstory
    assert not Judgment.objects.exists()


@pytest.mark.postgresql
def test_a_person_flags_a_version_once_and_what_is_said_later_replaces_the_comment(assessor):
    for comment in ("first", "second", ""):
        flag(assessor, comment)

    assert BackstoryFlag.objects.get().comment == "second"


def test_without_scripts_the_way_leads_back_to_the_pair(assessor):
    answer = flag(assessor)

    assert (answer.status_code, answer.url) == (302, at("judge"))


def test_a_backstory_that_never_stood_before_the_person_cannot_be_flagged(collection, assessor):
    factories.claim(assessor)
    other = Backstory.objects.latest("pk")
    visitor = visitors.of(assessor.user)

    assert visitor.post(at("flag_backstory", other.pk)).status_code == 404
    assert not BackstoryFlag.objects.exists()


def test_the_researcher_sees_flagged_ones_first_with_what_was_said_and_under_a_pseudonym(
    collection, assessor, researcher
):
    while factories.claim(assessor).pair.topic.query_id == "q1":  # which of two topics comes first is drawn
        factories.judge(assessor)
    flag(assessor, "no such place")
    words = visitors.words(researcher.get(at("backstories")))

    assert "1 backstory is said to look wrong: it stands first" in words
    assert words.index("in need of q2") < words.index("in need of q1")
    assert "assessor-1 says that it looks wrong: no such place" in words
    assert assessor.user.username not in words
    assert "1 backstory is said to look wrong. Look at it" in visitors.words(researcher.get(at("collection")))


@pytest.mark.postgresql
def test_what_is_fine_as_it_is_waits_no_more_and_the_flag_stays_to_be_read(assessor, researcher):
    flag(assessor, "hm")
    answer = researcher.post(at("approve_backstory", BackstoryFlag.objects.get().backstory_id), follow=True)

    assert f"The backstory of {BackstoryFlag.objects.get().backstory.topic} stays as it is." in visitors.words(answer)
    assert answer.context["flagged"] == 0
    assert "says that it looks wrong: hm" in visitors.words(answer)
    assert BackstoryFlag.objects.get().backstory.state == "APPROVED"


def test_a_new_version_is_shown_from_now_on_and_judgments_keep_theirs(collection, assessor, researcher):
    judged = factories.judge(assessor)
    held = factories.claim(assessor)
    for topic in collection.topics.all():
        answer = researcher.post(at("write_backstory", topic.pk), {"text": "in need of 東京"}, follow=True)
        assert f"Version 2 of {topic} is what assessors read now." in visitors.words(answer)

    judged.refresh_from_db()
    assert (judged.backstory.version, judged.backstory.text, judged.backstory.is_current) == (
        1,
        f"in need of {judged.pair.topic}",
        False,
    )
    assert factories.claim(assessor).backstory == held.backstory
    written = factories.claim(factories.make_assessor(collection)).backstory
    assert (written.version, written.text, written.origin, written.state) == (
        2,
        "in need of 東京",
        "WRITTEN",
        "APPROVED",
    )


@pytest.mark.postgresql
def test_the_same_words_make_no_version(collection, researcher):
    topic = collection.topics.earliest("pk")
    researcher.post(at("write_backstory", topic.pk), {"text": f"in need of {topic}"})

    assert topic.backstories.count() == 1


@pytest.mark.parametrize("text", ["", "   ", "x" * 20_001, "\0"])
def test_a_text_that_is_none_is_refused_beside_its_topic_and_kept_in_the_field(collection, researcher, text):
    topic = collection.topics.latest("pk")
    answer = researcher.post(at("write_backstory", topic.pk), {"text": text})

    assert answer.status_code == 422
    assert answer.context["refused"] == topic
    assert topic.backstories.count() == 1


def test_hostile_words_are_shown_as_written(assessor, researcher):
    flag(assessor, "<script>alert(1)</script>")

    assert "<script>alert" not in researcher.get(at("backstories")).content.decode()


def test_a_collection_without_topics_says_how_they_come(db):
    empty = factories.make_collection()
    page = visitors.researcher(empty).get(reverse("backstories", args=[empty.slug]))

    assert "No topics yet" in visitors.words(page)

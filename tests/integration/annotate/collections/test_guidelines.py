import pytest
from django.urls import reverse

from annotate.models import Guidelines
from tests import factories, visitors

SAID = {
    "text": "# Read\n\n**all** of it",
    "name_0": "no",
    "description_0": "says nothing of it",
    "name_1": "yes",
    "description_1": "",
}


@pytest.fixture
def collection(db):
    return factories.make_collection(scale="0-1")


@pytest.fixture
def visitor(collection):
    return visitors.researcher(collection)


@pytest.fixture
def where(collection):
    return reverse("guidelines", args=[collection.slug])


def test_a_change_makes_a_new_version_and_keeps_the_old(visitor, collection, where):
    answer = visitor.post(where, SAID, follow=True)

    first, second = Guidelines.objects.filter(collection=collection).order_by("version")
    assert (first.version, first.text) == (1, "")
    assert (second.version, second.text) == (2, SAID["text"])
    assert second.grade_words == [
        {"grade": 0, "name": "no", "description": "says nothing of it"},
        {"grade": 1, "name": "yes", "description": ""},
    ]
    assert "Version 2 is what assessors read now" in visitors.words(answer)
    assert "<strong>all</strong>" in answer.content.decode()


def test_the_same_words_make_no_version(visitor, collection, where):
    visitor.post(where, SAID)
    answer = visitor.post(where, SAID, follow=True)

    assert "Nothing changed" in visitors.words(answer)
    assert Guidelines.objects.filter(collection=collection).count() == 2


def test_each_grade_needs_a_name(visitor, collection, where):
    answer = visitor.post(where, {**SAID, "name_1": "  "})

    assert answer.status_code == 422
    assert "**all** of it" in answer.content.decode()
    assert Guidelines.objects.filter(collection=collection).count() == 1


def test_a_preview_stores_nothing(visitor, collection, where):
    whole = visitor.post(where, {**SAID, "preview": "1"})
    alone = visitor.post(where, {**SAID, "preview": "1"}, headers={"HX-Request": "true"})

    for answer in [whole, alone]:
        assert "Preview" in visitors.words(answer)
        assert "<strong>all</strong>" in answer.content.decode()
    assert "<html" in whole.content.decode()
    assert "<html" not in alone.content.decode()
    assert "HX-Request" in alone.headers["Vary"]
    assert Guidelines.objects.filter(collection=collection).count() == 1


@pytest.mark.postgresql
def test_markdown_is_rendered_and_what_could_act_is_shown_as_text(visitor, where):
    text = "<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)>"
    page = visitor.post(where, {**SAID, "text": text}, follow=True).content.decode()

    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert 'href="javascript' not in page


def test_an_old_version_is_shown_and_can_be_taken_as_the_start_of_the_next(visitor, collection, where):
    visitor.post(where, SAID)
    visitor.post(where, {**SAID, "text": "other"})
    answer = visitor.get(where, {"version": "2"})

    assert answer.context["shown"].version == 2
    assert "**all** of it" in answer.content.decode()


@pytest.mark.parametrize("version", ["9", "x", "-1", "²", "", "9" * 5000, "\0"])
def test_a_version_that_is_none_is_404(visitor, where, version):
    assert visitor.get(where, {"version": version}).status_code == 404


def scaled(visitor, collection, scale):
    answer = visitor.post(reverse("change_scale", args=[collection.slug]), {"scale": scale}, follow=True)
    collection.refresh_from_db()
    return answer


@pytest.mark.postgresql
def test_the_scale_is_changed_while_no_grade_is_stored_and_its_words_are_a_new_version(visitor, collection, where):
    factories.make_holes(collection)
    assessor = factories.make_assessor(collection)
    visitor.post(where, SAID)
    held = factories.claim(assessor)
    answer = scaled(visitor, collection, "0-2")

    assert "Grades go from 0-2 now" in visitors.words(answer)
    assert str(collection.scale) == "0-2"
    newest = Guidelines.objects.get(collection=collection, is_current=True)
    assert (newest.version, newest.text) == (3, SAID["text"])
    assert [word["name"] for word in newest.grade_words] == ["irrelevant", "partly relevant", "relevant"]
    assert factories.claim(assessor).token == held.token
    assert factories.judge(assessor, grade=2).guidelines == newest


@pytest.mark.parametrize("source", ["judgment", "reference", "model"])
def test_from_the_first_grade_on_the_scale_stays_and_the_page_says_why(visitor, collection, where, source):
    factories.make_holes(collection)
    if source == "judgment":
        factories.judge(factories.make_assessor(collection), grade=1)
    elif source == "reference":
        factories.import_qrels(collection, "q1 0 d1.1 1\n")
    else:
        factories.make_suggestions(collection, grade=1)
    sentence = "Grades are stored: the scale stays. For another scale make another collection."

    assert sentence in visitors.words(visitor.get(where))
    assert sentence in visitors.words(scaled(visitor, collection, "0-3"))
    assert str(collection.scale) == "0-1"
    assert Guidelines.objects.filter(collection=collection).count() == 1


@pytest.mark.parametrize("scale", ["", "3", "3-1", "0-11", "a-b", "0-1000"])
def test_a_scale_that_is_none_is_refused_and_changes_nothing(visitor, collection, scale):
    answer = scaled(visitor, collection, scale)

    assert answer.status_code == 422
    assert str(collection.scale) == "0-1"


def test_a_later_judgment_is_stored_with_the_newer_version(visitor, collection, where):
    factories.make_holes(collection)
    assessor = factories.make_assessor(collection)
    before = factories.judge(assessor, grade=1)
    visitor.post(where, SAID)

    assert (before.guidelines.version, factories.judge(assessor, grade=1).guidelines.version) == (1, 2)


def test_an_assessor_reads_and_cannot_write(collection, visitor, where):
    visitor.post(where, SAID)
    assessor = visitors.assessor(collection)
    read = assessor.get(where)

    assert "<strong>all</strong>" in read.content.decode()
    assert "textarea" not in read.content.decode()
    assert assessor.post(where, SAID).status_code == 403
    assert Guidelines.objects.filter(collection=collection).count() == 2


def test_a_stranger_gets_404(collection, where):
    assert visitors.stranger().get(where).status_code == 404
    assert visitors.stranger().post(where, SAID).status_code == 404

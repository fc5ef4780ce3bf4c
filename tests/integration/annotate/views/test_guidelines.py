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

import uuid

import pytest
from django.urls import reverse

from annotate.models import Judgment
from tests import factories, visitors

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def assessor(db):
    return factories.make_assessor(factories.make_holes(factories.make_collection("here"), topics=1, passages=4))


@pytest.fixture
def visitor(assessor):
    return visitors.of(assessor.user)


def at(name: str, *args: object) -> str:
    return reverse(name, args=["here", *args])


@pytest.mark.postgresql
def test_the_own_judgments_are_listed_newest_first_and_by_what_was_said(visitor, assessor):
    factories.judge(assessor, grade=0, comment="first one")
    factories.judge(assessor, grade=2, is_unsure=True, comment="second one")
    factories.judge(assessor, grade=None)

    whole = visitors.words(visitor.get(at("history")))
    assert whole.index("second one") < whole.index("first one")
    listed = {
        show: visitors.words(visitor.get(at("history"), {"show": show})) for show in ("0", "unsure", "cannot", "3")
    }
    assert "first one" in listed["0"] and "second one" not in listed["0"]
    assert "second one" in listed["unsure"] and "first one" not in listed["unsure"]
    assert "not readable" in listed["cannot"]
    assert "You have no such judgment." in listed["3"]


def test_every_answer_that_was_replaced_stays_in_the_history_with_its_time(visitor, assessor):
    judgment = factories.judge(assessor, grade=2)
    factories.judge(factories.make_assessor(assessor.collection), grade=3)
    for grade in ("1", "0"):
        visitor.post(at("change_judgment", judgment.pk), {"key": str(uuid.uuid4()), "grade": grade})

    page = visitor.get(at("history"))
    replaced = [(each.grade, each.created_at) for _, earlier in page.context["answers"] for each in earlier]
    assert [grade for grade, _ in replaced] == [2, 1]
    assert f"Before: 2 highly relevant {replaced[0][1]:%Y-%m-%d %H:%M} UTC 1 related" in visitors.words(page)


@pytest.mark.parametrize("query", [{"show": "nonsense"}, {"page": "99"}, {"page": "x"}, {"show": "-1"}])
def test_an_address_that_makes_no_sense_shows_what_there_is(visitor, assessor, query):
    factories.judge(assessor, comment="first one")
    assert "first one" in visitors.words(visitor.get(at("history"), query))


def test_a_reopened_pair_shows_what_was_said_and_takes_another_answer(visitor, assessor):
    judgment = factories.judge(assessor, grade=2, comment="why two")
    page = visitor.get(at("reopen", judgment.pk))
    assert 'value="2" required checked' in page.content.decode()
    assert "why two" in page.content.decode()

    said = {"key": str(uuid.uuid4()), "grade": "1", "comment": "why one"}
    answers = [visitor.post(at("change_judgment", judgment.pk), said, **HTMX) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert Judgment.objects.count() == 2
    current = Judgment.objects.get(is_current=True)
    assert (current.grade, current.comment, current.version) == (1, "why one", 2)


def test_the_address_of_an_earlier_answer_leads_to_the_present_one(visitor, assessor):
    judgment = factories.judge(assessor, grade=2)
    visitor.post(at("change_judgment", judgment.pk), {"key": str(uuid.uuid4()), "grade": "1"})
    assert 'value="1" required checked' in visitor.get(at("reopen", judgment.pk)).content.decode()


def test_a_change_without_an_answer_is_refused_on_the_same_card(visitor, assessor):
    judgment = factories.judge(assessor, grade=2)
    answer = visitor.post(at("change_judgment", judgment.pk), {"key": str(uuid.uuid4()), "comment": "hm"}, **HTMX)
    assert answer.status_code == 422
    assert "Choose a grade" in visitors.words(answer)
    assert Judgment.objects.get().grade == 2


def test_a_judgment_of_somebody_else_is_not_found(visitor, assessor):
    other = factories.make_assessor(assessor.collection)
    judgment = factories.judge(other)
    assert visitor.get(at("reopen", judgment.pk)).status_code == 404
    said = {"key": str(uuid.uuid4()), "grade": "1"}
    assert visitor.post(at("change_judgment", judgment.pk), said).status_code == 404
    assert visitor.post(at("decide", judgment.pk), {"grade": "1"}).status_code == 409


def test_reopening_is_a_get_and_changing_a_post(visitor, assessor):
    judgment = factories.judge(assessor)
    assert visitor.post(at("reopen", judgment.pk)).status_code == 405
    assert visitor.get(at("change_judgment", judgment.pk)).status_code == 405


def test_a_page_of_fifty_takes_as_many_statements_as_a_page_of_one(visitor, assessor, django_assert_max_num_queries):
    for _ in range(4):
        factories.judge(assessor)
    with django_assert_max_num_queries(8):
        visitor.get(at("history"))

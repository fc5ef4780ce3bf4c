"""An answer is what was sent, to the pair that was shown: nothing near it is stored, nothing newer is replaced."""

import uuid

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.models import Judgment
from tests import factories, visitors

HTMX = {"HTTP_HX_REQUEST": "true"}
NOT_GRADES = ["２", "٢", "2.0", "02", "+2", " 2 ", "1_0", "2e0", "-1", "two", "2\n"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def assessor():
    return factories.make_assessor(factories.make_holes(factories.make_collection("here", scale="0-10")))


@pytest.fixture
def visitor(assessor):
    return visitors.of(assessor.user)


def save(visitor, claim, grade, key=None, **more):
    sent = {"token": claim.token, "key": key or uuid.uuid4(), "grade": grade, **more}
    return visitor.post(reverse("save_judgment", args=["here"]), sent, **HTMX)


def change(visitor, address_of, shown, grade, **more):
    sent = {"key": uuid.uuid4(), "judgment": shown.pk, "grade": grade, **more}
    return visitor.post(reverse("change_judgment", args=["here", address_of.pk]), sent, **HTMX)


@pytest.mark.parametrize("grade", NOT_GRADES)
def test_only_ascii_digits_are_a_grade(assessor, visitor, grade):
    assert save(visitor, factories.claim(assessor), grade).status_code == 422
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("grade", ["2", 2.0, 2.5, True, "２", [2]])
def test_the_api_takes_a_json_integer_alone(assessor, visitor, grade):
    claim = factories.claim(assessor)
    sent = {"claim": str(claim.token), "grade": grade}
    answer = visitor.post(reverse("api_judgments", args=["here"]), sent, content_type="application/json")
    assert answer.status_code == 400 and answer.json()["faults"][0]["place"] == "grade"
    assert not Judgment.objects.exists()


def test_a_form_of_one_pair_that_reaches_another_changes_neither(assessor, visitor):
    first, second = factories.judge(assessor, 1), factories.judge(assessor, 2)
    assert change(visitor, second, first, "3").status_code == 409
    assert sorted(Judgment.objects.values_list("grade", flat=True)) == [1, 2]


def test_of_two_tabs_the_older_one_replaces_nothing(assessor, visitor):
    judgment = factories.judge(assessor, 1)
    assert change(visitor, judgment, judgment, "2").status_code == 200
    late = change(visitor, judgment, judgment, "3")
    assert late.status_code == 409 and late.headers["X-Lacuna-Shows"] == "stored"
    assert b"Nothing was stored" in late.content
    assert Judgment.objects.get(is_current=True).grade == 2


def test_one_key_brings_one_answer(assessor, visitor):
    claim, key = factories.claim(assessor), uuid.uuid4()
    assert save(visitor, claim, "1", key).status_code == 200
    assert save(visitor, claim, "1", key).status_code == 200
    again = save(visitor, claim, "2", key)
    assert b"saved before" in again.content
    assert Judgment.objects.get().grade == 1


@pytest.mark.parametrize("other", [{"grade": 3}, {"comment": "a word"}, {"is_unsure": True}])
def test_the_api_refuses_another_answer_under_the_same_key(assessor, visitor, other):
    claim = factories.claim(assessor)
    headers, address = {"HTTP_IDEMPOTENCY_KEY": str(uuid.uuid4())}, reverse("api_judgments", args=["here"])
    sent = {"claim": str(claim.token), "grade": 1}
    assert visitor.post(address, sent, content_type="application/json", **headers).status_code == 201
    assert visitor.post(address, sent, content_type="application/json", **headers).status_code == 200
    answer = visitor.post(address, {**sent, **other}, content_type="application/json", **headers)
    assert answer.status_code == 409
    assert Judgment.objects.get().comment == ""


def test_an_address_of_the_api_without_its_slash_stores_nothing_and_says_so(assessor, visitor):
    claim = factories.claim(assessor)
    sent = {"claim": str(claim.token), "grade": 1}
    address = reverse("api_judgments", args=["here"]).rstrip("/")
    answer = visitor.post(address, sent, content_type="application/json")
    assert answer.status_code == 404 and "slash" in answer.json()["detail"]
    unknown = visitor.get("/api/v1/nowhere/")
    assert unknown.status_code == 404 and unknown.json()["detail"]


def test_a_name_is_taken_in_capitals_too(client):
    factories.make_user("bob")
    signed_in = client.post(reverse("sign_in"), {"username": "BOB", "password": factories.PASSWORD})
    assert signed_in.status_code == 302
    factories.make_user("BOB")
    client.post(reverse("sign_out"))
    assert client.post(reverse("sign_in"), {"username": "Bob", "password": factories.PASSWORD}).status_code == 200


def test_pages_of_the_signed_in_are_kept_by_no_browser(visitor, assessor):
    factories.judge(assessor, 1, now=timezone.now())
    for name in ("home", "history", "judge"):
        address = reverse(name, args=[] if name == "home" else ["here"])
        assert "no-store" in visitor.get(address).headers["Cache-Control"], name

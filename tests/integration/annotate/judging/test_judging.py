"""The judging page as the server gives it: one request an answer, blind where it must be, kind where it cannot."""

import html
import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.imports.operations import withdrawals
from annotate.models import Claim, Collection, Judgment, Membership
from annotate.work import engine
from tests import factories, visitors

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def collection(db):
    return factories.make_holes(factories.make_collection("here"), topics=1, passages=3)


@pytest.fixture
def assessor(collection):
    return factories.make_assessor(collection)


@pytest.fixture
def visitor(assessor) -> Client:
    return visitors.of(assessor.user)


def at(name: str, *args: object) -> str:
    return reverse(name, args=["here", *args])


def card(visitor: Client) -> dict[str, str]:
    """The hidden fields of the page's form."""
    return fields(visitor.get(at("judge")))


def fields(answer) -> dict[str, str]:
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', answer.content.decode())
    return {name: html.unescape(value) for name, value in found if name != "csrfmiddlewaretoken"}


def save(visitor: Client, said: dict[str, str], **more: object):
    return visitor.post(at("save_judgment"), {**said, **more}, **HTMX)


def test_a_save_answers_with_the_card_of_the_next_pair(visitor, assessor):
    first = card(visitor)
    answer = save(visitor, first, grade="2", comment="so", visible_ms="1500", wall_ms="2500")

    judgment = Judgment.objects.get()
    assert (judgment.grade, judgment.comment, judgment.visible_ms, judgment.wall_ms) == (2, "so", 1500, 2500)
    assert judgment.shown_at.isoformat() == first["shown_at"]
    assert fields(answer)["token"] != first["token"]
    assert "1 / 3" in visitors.words(answer)


def test_a_fragment_lacks_the_frame_of_the_page_and_both_vary_by_the_header(visitor):
    page, fragment = visitor.get(at("judge")), visitor.get(at("judge"), **HTMX)

    assert b"<html" in page.content and b"<html" not in fragment.content
    assert page["Vary"].count("HX-Request") == fragment["Vary"].count("HX-Request") == 1
    assert fragment["HX-Replace-Url"] == at("judge")
    assert "no-store" in page["Cache-Control"]


def test_without_htmx_an_answer_leads_back_to_the_page(visitor):
    answer = visitor.post(at("save_judgment"), {**card(visitor), "grade": "0"})
    assert answer.url == at("judge")
    assert Judgment.objects.get().grade == 0


def test_the_same_save_twice_is_one_judgment(visitor):
    said = card(visitor)
    answers = [save(visitor, said, grade="3") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert Judgment.objects.count() == 1


@pytest.mark.postgresql
def test_another_answer_to_a_pair_that_was_saved_is_told_and_stores_nothing(visitor):
    one, other = card(visitor), card(visitor)
    save(visitor, one, grade="3")
    answer = save(visitor, other, grade="0")

    assert "This pair was saved before" in visitors.words(answer)
    assert Judgment.objects.get().grade == 3


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({}, "Choose a grade, or say that you cannot judge this pair."),
        ({"grade": "4"}, "Choose a grade from 0 to 3."),
        ({"grade": "-1"}, "Choose a grade from 0 to 3."),
        ({"grade": "2.5"}, "Choose a grade from 0 to 3."),
        ({"reason": "OTHER"}, "Say in a few words why this pair cannot be judged."),
        ({"grade": "1", "comment": "x" * 5001}, "at most 5000 characters"),
    ],
)
def test_what_cannot_be_stored_is_said_on_the_same_card_and_the_comment_is_kept(visitor, said, sentence):
    shown = card(visitor)
    answer = save(visitor, shown, **{"comment": "keep me", **said})

    assert answer.status_code == 422
    assert sentence in visitors.words(answer)
    assert said.get("comment", "keep me") in answer.content.decode()
    assert fields(answer)["token"] == shown["token"]
    assert not Judgment.objects.exists()


def test_a_reason_stands_above_a_grade_that_was_selected_before(visitor):
    save(visitor, card(visitor), grade="2", reason="OTHER", other_reason="half of it is missing")
    judgment = Judgment.objects.get()
    assert (judgment.outcome, judgment.grade, judgment.reason) == ("CANNOT", None, "half of it is missing")


@pytest.mark.parametrize("time", ["", "soon", "-5", "1e9", "NaN"])
def test_a_time_that_cannot_be_read_costs_no_judgment(visitor, time):
    save(visitor, card(visitor), grade="2", visible_ms=time, wall_ms=time, shown_at=time)
    judgment = Judgment.objects.get()
    assert (judgment.visible_ms, judgment.wall_ms) == (None, None)


def test_a_time_beyond_what_fits_is_capped(visitor):
    save(visitor, card(visitor), grade="2", wall_ms="9" * 30)
    assert Judgment.objects.get().wall_ms == 2**31 - 1


@pytest.mark.parametrize("digits", [11, 5000])
def test_a_time_of_any_length_costs_no_judgment(visitor, digits):
    save(visitor, card(visitor), grade="2", visible_ms="9" * digits, wall_ms="²" * digits)
    judgment = Judgment.objects.get()
    assert (judgment.visible_ms, judgment.wall_ms) == (2**31 - 1, None)


@pytest.mark.parametrize(
    "time", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2001-01-01T00:00:00Z", "2999-01-01T00:00:00Z"]
)
def test_a_card_was_shown_between_its_claim_and_its_save(visitor, time):
    save(visitor, card(visitor), grade="2", shown_at=time)
    judgment = Judgment.objects.select_related("claim").get()
    assert judgment.shown_at == (judgment.claim.claimed_at if time < "2026" else judgment.created_at)


def test_one_key_may_serve_two_pairs_and_their_changes(visitor):
    key = str(uuid.uuid4())
    for grade in "12":
        assert save(visitor, card(visitor), key=key, grade=grade).status_code == 200
    for judgment in Judgment.objects.all():
        for _ in range(2):
            visitor.post(at("change_judgment", judgment.pk), {"key": key, "grade": "0"}, **HTMX)
    assert sorted(Judgment.objects.values_list("version", "grade")) == [(1, 1), (1, 2), (2, 0), (2, 0)]


@pytest.mark.postgresql
def test_a_pair_whose_text_is_withdrawn_is_not_shown_empty_and_its_grade_is_kept(visitor, collection):
    said = card(visitor)
    passages = collection.imported_files.get(kind="PASSAGES")
    engine.run(engine.claim(work_id=withdrawals.request_withdrawal(imported=passages, by=None, now=timezone.now()).pk))
    assert "token" not in fields(visitor.get(at("judge")))
    again = save(visitor, said)
    assert again.status_code == 422
    assert "The text of this passage has been withdrawn." in visitors.words(again)
    assert save(visitor, said, grade="2").status_code == 200
    judgment = Judgment.objects.get()
    assert (judgment.grade, judgment.is_extra) == (2, True)
    assert "has been withdrawn" in visitors.words(visitor.get(at("reopen", judgment.pk)))


@pytest.mark.postgresql
@pytest.mark.parametrize("token", ["", "not-a-token", "1f0a5b6e-8f0c-4c3e-9b1d-0a6f2f6f7c11"])
def test_a_pair_that_was_not_given_to_the_person_is_refused(visitor, token):
    said = {**card(visitor), "token": token, "grade": "1"}
    answers = [save(visitor, said), visitor.post(at("skip_pair"), said), visitor.post(at("renew_claim"), said)]

    assert answers[0].status_code == answers[2].status_code == 409
    assert not Judgment.objects.exists()
    assert Claim.objects.get().state == "OPEN"


def test_a_card_of_one_person_cannot_be_saved_by_another(visitor, collection):
    answer = save(visitors.of(factories.make_assessor(collection).user), card(visitor), grade="1")
    assert answer.status_code == 409
    assert not Judgment.objects.exists()


def test_while_judging_is_paused_no_pair_is_given_but_a_grade_under_way_is_stored(visitor):
    said = card(visitor)
    Collection.objects.update(is_paused=True)
    assert "Judging is paused" in visitors.words(visitor.get(at("judge")))
    answer = save(visitor, said, grade="2")
    assert "Judging is paused" in visitors.words(answer)
    assert Judgment.objects.get().grade == 2


def test_a_skipped_pair_waits_at_the_end(visitor):
    first = card(visitor)
    answer = visitor.post(at("skip_pair"), first, **HTMX)
    assert fields(answer)["token"] != first["token"]
    assert "1 skipped" in visitors.words(answer)


def test_when_others_hold_what_is_left_the_page_says_until_when(visitor, collection):
    for _ in range(3):
        factories.claim(factories.make_assessor(collection), timezone.now())
    words = visitors.words(visitor.get(at("judge")))
    assert "3 pairs are held by others until" in words


@pytest.mark.postgresql
def test_a_renewed_claim_is_held_for_the_full_time_again(visitor):
    said = card(visitor)
    Claim.objects.update(expires_at=timezone.now() + timedelta(minutes=1))
    assert visitor.post(at("renew_claim"), said).status_code == 204
    assert Claim.objects.get().expires_at > timezone.now() + timedelta(minutes=29)


def test_reading_the_page_changes_nothing_but_the_claim(visitor, assessor):
    visitor.get(at("judge"))
    before = [list(model.objects.values()) for model in (Judgment, Membership, Collection)]
    for address in (at("judge"), at("history"), "/", "/account/"):
        assert visitor.get(address).status_code == 200
    assert [list(model.objects.values()) for model in (Judgment, Membership, Collection)] == before


# --- blindness ---------------------------------------------------------------------------------------------------


def test_in_the_hidden_arm_nothing_is_told_after_the_save_and_when_reopened(visitor, collection):
    factories.make_suggestions(collection, grade=1, reason="tells too much")
    answer = save(visitor, card(visitor), grade="2")
    reopened = visitor.get(at("reopen", Judgment.objects.get().pk))
    pages = [answer, reopened, visitor.get(at("history")), visitor.get("/")]
    assert not [page for page in pages if b"tells too much" in page.content or b"model-a" in page.content]


def test_another_persons_grade_is_on_no_page_of_an_assessor(visitor, collection):
    Collection.objects.update(target=2)
    other = factories.make_assessor(collection, "somebody-else")
    factories.judge(other, grade=3, comment="my secret comment")
    pages = [visitor.get(at("judge")), visitor.get(at("history")), visitor.get("/")]
    assert not [page for page in pages if b"secret" in page.content or b"somebody-else" in page.content]


def test_a_revealed_suggestion_is_decided_on_before_the_next_pair_comes(visitor, collection):
    Collection.objects.update(share_hidden=0, share_reveal=1)
    factories.make_suggestions(collection, grade=1, reason="tells it now")
    answer = save(visitor, card(visitor), grade="2")
    judgment = Judgment.objects.get()
    assert "tells it now" in visitors.words(answer)
    assert "tells it now" in visitors.words(visitor.get(at("judge")))

    off_scale = visitor.post(at("decide", judgment.pk), {"grade": "7"}, **HTMX)
    assert "Choose a grade." in visitors.words(off_scale)
    visitor.post(at("decide", judgment.pk), {"grade": "1"}, **HTMX)
    judgment.refresh_from_db()
    assert (judgment.first_grade, judgment.grade) == (2, 1)
    assert "tells it now" not in visitors.words(visitor.get(at("judge")))


def test_where_the_model_says_nothing_of_a_pair_shown_first_the_page_says_so(visitor):
    Collection.objects.update(share_hidden=0, share_shown=1)
    assert "No suggestion for this pair." in visitors.words(visitor.get(at("judge")))


# --- access ------------------------------------------------------------------------------------------------------

POSTS = ["save_judgment", "skip_pair", "renew_claim"]


@pytest.mark.parametrize("name", POSTS)
def test_what_changes_something_takes_no_get(visitor, name):
    assert visitor.get(at(name)).status_code == 405


@pytest.mark.parametrize("name", ["judge", "history"])
def test_what_only_shows_takes_no_post(visitor, name):
    assert visitor.post(at(name)).status_code == 405


@pytest.mark.parametrize("name", ["judge", "history", *POSTS])
def test_a_stranger_finds_nothing_and_a_researcher_does_not_judge(collection, name):
    for user, status in ((factories.make_user(), 404), (collection.created_by, 403)):
        send = visitors.of(user).post if name in POSTS else visitors.of(user).get
        assert send(at(name)).status_code == status


def test_who_is_not_signed_in_is_led_to_the_sign_in_and_a_script_is_told_so(collection):
    assert Client().get(at("judge")).url == f"/sign-in/?next={at('judge')}"
    assert Client().post(at("save_judgment"), **HTMX).status_code == 401

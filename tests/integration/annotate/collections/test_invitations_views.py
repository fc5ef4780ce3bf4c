"""Inviting by a link, from the researcher's page to the assessor's first pair."""

import re
from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.test import Client
from django.urls import reverse

from annotate.collections import rules as collections_rules
from annotate.collections.operations import people
from annotate.models import Invitation, Membership, User
from tests import factories, visitors

NEW = {"username": "ann", "password1": factories.PASSWORD, "password2": factories.PASSWORD}


@pytest.fixture
def collection(db):
    return factories.make_collection("here")


@pytest.fixture
def researcher(collection):
    return visitors.researcher(collection)


def make_link(researcher, **said: object) -> str:
    """The path of a link that the page tells."""
    answer = researcher.post(reverse("invite", args=["here"]), {"places": 2, "days": 7, **said})
    return re.search(r'id="new-link">http://testserver([^<]+)<', answer.content.decode())[1]


def assessors() -> list[str]:
    return list(Membership.objects.filter(role="ASSESSOR").order_by("pk").values_list("user__username", flat=True))


def test_a_link_is_told_once_and_never_cached(researcher):
    answer = researcher.post(reverse("invite", args=["here"]), {"places": 1, "days": 1})
    link = re.search(r'id="new-link">([^<]+)<', answer.content.decode())[1]

    assert "no-store" in answer.headers["Cache-Control"]
    assert link.rsplit("/", 2)[1] not in researcher.get(reverse("people", args=["here"])).content.decode()


def test_somebody_new_makes_an_account_is_signed_in_and_an_assessor(researcher):
    link, client = make_link(researcher), Client()
    assert "Join here" in visitors.words(client.get(link))
    answer = client.post(link, NEW, follow=True)

    assert "Welcome: you are an assessor of here now." in visitors.words(answer)
    ann = User.objects.get(username="ann")
    assert ann.check_password(factories.PASSWORD)
    assert not ann.must_change_password
    assert Membership.objects.get(user=ann).pseudonym == "assessor-1"
    assert client.get(reverse("judge", args=["here"])).status_code == 200


def test_somebody_with_an_account_joins_by_a_button_and_not_by_opening_the_link(researcher):
    link, user = make_link(researcher), factories.make_user("bob")
    visitor = visitors.of(user)
    assert "Join as bob" in visitors.words(visitor.get(link))
    assert assessors() == []
    visitor.post(link)

    assert assessors() == ["bob"]


def test_the_sign_in_page_leads_back_to_the_link(researcher):
    link = make_link(researcher)

    assert f'href="/sign-in/?next={link}"' in Client().get(link).content.decode()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"used": 2}, collections_rules.PLACES_TAKEN),
        ({"expires_at": factories.NOW}, "The time of this invitation is over."),
        ({"ended_at": factories.NOW}, "This invitation was taken back."),
    ],
)
def test_a_link_that_is_not_open_says_why_and_takes_nobody(researcher, change, sentence):
    link = make_link(researcher)
    Invitation.objects.update(**change)
    for answer in (Client().get(link), Client().post(link, NEW), visitors.of(factories.make_user()).post(link)):
        assert answer.status_code == 409
        assert sentence in visitors.words(answer)

    assert (assessors(), User.objects.filter(username="ann").exists()) == ([], False)


def test_who_is_there_already_takes_no_place(collection, researcher):
    link, there = make_link(researcher), factories.make_assessor(collection)
    answer = visitors.of(there.user).post(link)

    assert answer.status_code == 409
    assert "You are an assessor of here already." in visitors.words(answer)
    assert Invitation.objects.get().used == 0


def test_who_came_by_a_link_that_is_full_by_now_is_told_so_when_opening_it_again(researcher):
    link, ann = make_link(researcher, places=1), visitors.of(factories.make_user("ann"))
    ann.post(link)

    assert "You are an assessor of here already." in visitors.words(ann.get(link))
    assert collections_rules.PLACES_TAKEN in visitors.words(visitors.of(factories.make_user()).get(link))


def test_whose_role_was_ended_does_not_come_back_by_a_link(collection, researcher):
    link, there = make_link(researcher), factories.make_assessor(collection)
    researcher.post(reverse("deactivate_member", args=["here", there.pk]))
    answer = visitors.of(there.user).post(link)

    assert "Your role in here was ended. A researcher can bring you back." in visitors.words(answer)
    there.refresh_from_db()
    assert not there.is_active


@pytest.mark.parametrize(
    "said",
    [
        {"username": "ANN"},
        {"username": "a b"},
        {"username": ""},
        {"password2": "something else"},
        {"password1": "short", "password2": "short"},
        {"username": "\0"},
    ],
)
def test_an_account_that_cannot_be_made_is_refused_on_the_page(researcher, said):
    factories.make_user("Ann")
    link = make_link(researcher)
    answer = Client().post(link, {**NEW, "username": "eve", **said})

    assert answer.status_code == 422
    assert (assessors(), Invitation.objects.get().used) == ([], 0)


@pytest.mark.parametrize("name", ["zoë", "ZOË"])
def test_a_name_that_differs_in_its_letters_only_is_taken(researcher, name):
    factories.make_user("Zoë")
    answer = Client().post(make_link(researcher), {**NEW, "username": name})

    assert answer.status_code == 422
    assert "already exists" in visitors.words(answer) or "Somebody has this name" in visitors.words(answer)


@pytest.mark.postgresql
def test_of_a_wrong_link_neither_its_secret_nor_what_was_posted_to_it_is_kept(collection, caplog):
    Client().post(reverse("join", args=["nearly-right"]), {**NEW, "password1": "told-in-vain"})
    kept = str(AccessAttempt.objects.values().get())

    assert "nearly-right" not in kept
    assert "told-in-vain" not in kept + caplog.text
    assert "nearly-right" not in "".join(each.getMessage() for each in caplog.records if each.name.startswith("axes"))


@pytest.mark.postgresql
def test_after_ten_wrong_links_even_a_right_one_waits_and_signing_in_does_not(researcher):
    link, user = make_link(researcher), factories.make_user("bob")
    answers = [Client().get(reverse("join", args=[f"wrong{number}"])).status_code for number in range(10)]
    refused = Client().get(link)

    assert answers == [404] * 9 + [429]
    assert refused.status_code == 429
    assert "10 links to invitations were wrong. Try again in 15 minutes" in visitors.words(refused)
    assert Client(REMOTE_ADDR="192.0.2.7").get(link).status_code == 200
    signed_in = Client().post(reverse("sign_in"), {"username": user.username, "password": factories.PASSWORD})
    assert signed_in.status_code == 302


@pytest.mark.postgresql
def test_the_page_lists_links_with_what_is_left_and_ends_them(collection, researcher):
    make_link(researcher, places=3)
    factories.make_user("bob")
    link = make_link(researcher, places=2)
    Client().post(link, NEW)
    listed = researcher.get(reverse("people", args=["here"])).context["invitations"]
    assert [(each.invitation.used, each.remaining, each.is_open) for each in listed] == [(1, 1, True), (0, 3, True)]

    answer = researcher.post(reverse("end_invitation", args=["here", listed[0].invitation.pk]), follow=True)

    assert "Nobody can come by this link any more" in visitors.words(answer)
    assert [each.is_open for each in answer.context["invitations"]] == [False, True]
    assert Client().get(link).status_code == 409
    assert assessors() == ["ann"]


def test_a_link_ends_by_itself_after_its_days(collection, researcher):
    _, secret = people.invite(
        collection=collection, places=1, days=7, by=collection.created_by, now=factories.NOW - timedelta(days=1)
    )
    people.find_invitation(secret=secret, user=None, now=factories.NOW + timedelta(days=6) - timedelta(seconds=1))
    with pytest.raises(people.rules.NotOpen):
        people.find_invitation(secret=secret, user=None, now=factories.NOW + timedelta(days=6))


@pytest.mark.parametrize("said", [{"places": 0}, {"places": ""}, {"days": 366}, {"days": "x"}, {"places": 10**9}])
def test_a_number_that_makes_no_sense_is_refused_and_makes_no_link(researcher, said):
    answer = researcher.post(reverse("invite", args=["here"]), {"places": 2, "days": 7, **said})

    assert answer.status_code == 422
    assert not Invitation.objects.exists()

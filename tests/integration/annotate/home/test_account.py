import pytest
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from annotate.collections.operations import people
from tests import factories, visitors


@pytest.fixture
def user(db):
    return factories.make_user("ada")


@pytest.fixture
def visitor(user):
    return visitors.of(user)


@pytest.mark.postgresql
def test_a_person_signs_in_is_led_where_she_wanted_and_signs_out(user):
    client = Client()
    said = {"username": "ada", "password": factories.PASSWORD, "next": "/account/"}
    assert client.post(reverse("sign_in"), said).url == "/account/"
    assert client.get(reverse("home")).status_code == 200
    assert client.get(reverse("sign_out")).status_code == 405
    assert client.post(reverse("sign_out")).url == reverse("sign_in")
    assert client.get(reverse("home")).url == "/sign-in/?next=/"


@pytest.mark.parametrize("place", ["https://elsewhere.example/", "//elsewhere.example/", "/\\\\elsewhere.example/"])
def test_signing_in_leads_to_no_other_site(user, visitor, place):
    said = {"username": "ada", "password": factories.PASSWORD, "next": place}
    assert Client().post(reverse("sign_in"), said).url == reverse("home")
    assert visitor.post(reverse("change_theme"), {"theme": "DARK", "next": place}).url == reverse("home")


def test_a_wrong_password_is_told_without_saying_which_part_is_wrong(user):
    answers = [Client().post(reverse("sign_in"), {"username": name, "password": "wrong"}) for name in ("ada", "nobody")]
    words = [visitors.words(answer).replace("nobody", "ada") for answer in answers]
    assert words[0] == words[1]
    assert "Please enter a correct username and password" in words[0]


def test_a_first_password_is_changed_before_anything_else(user, visitor):
    type(user).objects.update(must_change_password=True)
    for name in ("home", "account", "make_token"):
        assert visitor.get(reverse(name)).url == reverse("change_password")
    said = {"old_password": factories.PASSWORD, "new_password1": "quite a new one", "new_password2": "quite a new one"}
    assert visitor.post(reverse("change_password"), said).url == reverse("home")
    assert visitor.get(reverse("home")).status_code == 200
    user.refresh_from_db()
    assert user.check_password("quite a new one")
    assert not user.must_change_password


def test_a_weak_or_wrong_password_changes_nothing(user, visitor):
    said = {"old_password": "wrong", "new_password1": "short", "new_password2": "short"}
    answer = visitor.post(reverse("change_password"), said)
    assert answer.status_code == 422
    assert "This password is too short" in visitors.words(answer)
    user.refresh_from_db()
    assert user.check_password(factories.PASSWORD)


def test_a_first_password_cannot_be_kept(user, visitor):
    type(user).objects.update(must_change_password=True)
    kept = dict.fromkeys(["old_password", "new_password1", "new_password2"], factories.PASSWORD)
    answer = visitor.post(reverse("change_password"), kept)
    assert answer.status_code == 422
    assert "This is your present password: choose another one." in visitors.words(answer)
    user.refresh_from_db()
    assert user.must_change_password


@pytest.mark.postgresql
def test_tokens_end_with_the_password_and_the_page_says_so_before(user, visitor):
    people.make_token(user=user)
    theirs = people.make_token(user=factories.make_user())
    page = visitors.words(visitor.get(reverse("change_password")))
    assert "Tokens for programs are deleted with the old password" in page
    said = {"old_password": factories.PASSWORD, "new_password1": "quite a new one", "new_password2": "quite a new one"}
    visitor.post(reverse("change_password"), said)
    assert [token.token_key for token in AuthToken.objects.all()] == [theirs.key]


@pytest.mark.parametrize("place", ["x", "a.b", "", "\0", "/" + "x" * 5000])
def test_a_theme_leads_back_nowhere_odd_and_never_fails(visitor, place):
    answer = visitor.post(reverse("change_theme"), {"theme": "DARK", "next": place})
    assert answer.status_code == 400 or answer.url == reverse("home")


@pytest.mark.postgresql
def test_the_theme_is_stored_and_marks_the_page(user, visitor):
    answer = visitor.post(reverse("change_theme"), {"theme": "DARK", "next": "/account/"}, follow=True)
    assert '<html lang="en" data-theme="dark"' in answer.content.decode()
    assert visitor.post(reverse("change_theme"), {"theme": "PINK"}).status_code == 400
    user.refresh_from_db()
    assert user.theme == "DARK"


@pytest.mark.postgresql
def test_shortcuts_are_switched_on_and_off(user, visitor):
    visitor.post(reverse("change_shortcuts"), {"confirms_with_enter": "on"})
    user.refresh_from_db()
    assert (user.has_single_key_shortcuts, user.confirms_with_enter) == (False, True)


@pytest.mark.postgresql
def test_a_token_is_shown_once_opens_the_api_and_can_be_deleted(visitor):
    page = visitor.post(reverse("make_token")).content.decode()
    secret = page.split('id="new-token">')[1].split("<")[0]
    listed = visitor.get(reverse("account")).content.decode()
    assert secret not in listed and secret[:8] in listed

    program = {"HTTP_AUTHORIZATION": f"Token {secret}"}
    assert Client().get(reverse("api_collections"), **program).status_code == 200
    visitor.post(reverse("delete_token"), {"key": AuthToken.objects.get().token_key})
    assert Client().get(reverse("api_collections"), **program).status_code == 401


def test_a_token_of_somebody_else_cannot_be_deleted(visitor):
    theirs = people.make_token(user=factories.make_user())
    visitor.post(reverse("delete_token"), {"key": theirs.key})
    assert AuthToken.objects.count() == 1


def test_tokens_do_not_grow_without_end(visitor, monkeypatch):
    monkeypatch.setattr(people, "MOST_TOKENS", 1)
    answers = [visitor.post(reverse("make_token"), follow=True) for _ in range(2)]
    assert "You have 1 tokens; delete one" in visitors.words(answers[1])
    assert AuthToken.objects.count() == 1


@pytest.mark.parametrize("name", ["change_theme", "change_shortcuts", "make_token", "delete_token"])
def test_what_changes_something_takes_no_get_and_no_stranger(visitor, name):
    assert visitor.get(reverse(name)).status_code == 405
    assert Client().post(reverse(name)).url.startswith("/sign-in/")


def test_home_tells_an_assessor_what_waits_and_a_researcher_what_is_left(db):
    collection = factories.make_holes(factories.make_collection("here"), topics=1, passages=3)
    assessor = factories.make_assessor(collection)
    factories.judge(assessor)
    assert "1 of 3 judged" in visitors.words(visitors.of(assessor.user).get(reverse("home")))
    words = visitors.words(visitors.of(collection.created_by).get(reverse("home")))
    assert "1 of 3 2 judging" in " ".join(words.split())


def test_an_empty_home_says_what_to_do_next(visitor, db):
    assert "Ask a researcher to add you" in visitors.words(visitor.get(reverse("home")))
    maker = visitors.of(factories.make_user(may_create_collections=True))
    assert "Create a collection" in visitors.words(maker.get(reverse("home")))


@pytest.mark.postgresql
def test_home_takes_as_many_statements_for_many_collections(django_assert_max_num_queries, db):
    user = factories.make_user(may_create_collections=True)
    for _ in range(5):
        factories.make_collection(by=user)
    visitor = visitors.of(user)
    with django_assert_max_num_queries(5):
        visitor.get(reverse("home"))

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from annotate.web import access
from annotate.web import views as web_views
from tests import factories, visitors


def test_an_address_that_does_not_exist_has_a_page_of_its_own(db):
    answer = Client().get("/nowhere/")
    assert answer.status_code == 404
    assert "There is no such page" in visitors.words(answer)


def test_what_is_not_allowed_says_why(db):
    collection = factories.make_collection("here")
    answer = visitors.of(collection.created_by).get(reverse("judge", args=["here"]))
    assert answer.status_code == 403
    assert access.ONLY_ASSESSORS in visitors.words(answer)


def test_a_form_without_its_token_says_what_to_do(db):
    client = Client(enforce_csrf_checks=True)
    client.force_login(factories.make_user())
    answer = client.post(reverse("make_token"))
    assert answer.status_code == 403
    assert "reload the page and send the form again" in visitors.words(answer)


def test_the_page_of_a_fault_needs_neither_person_nor_database():
    answer = web_views.server_error(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert "The fault is ours" in answer.content.decode()


@pytest.mark.parametrize("address", ["/nowhere/", "/sign-in/"])
def test_every_page_forbids_scripts_and_styles_inside_it(db, address):
    policy = Client().get(address)["Content-Security-Policy"]
    assert "script-src 'self'" in policy and "style-src 'self'" in policy
    assert "unsafe" not in policy

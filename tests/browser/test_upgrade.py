"""A page that was left open while Lacuna was upgraded: it says so, and loses nothing."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Judgment
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection("cards"), topics=1, passages=3)


@pytest.fixture
def judging(page, sign_in, collection):
    sign_in(page, factories.make_assessor(collection).user)
    page.goto("/c/cards/judge/")
    return page


def passage(page) -> str:
    return page.locator(".passage-text").inner_text()


def test_a_grade_that_the_newer_server_stores_is_stored_once_and_the_page_asks_to_be_reloaded(judging, press, settings):
    before = passage(judging)
    settings.VERSION = "next"
    press(judging, "2")
    expect(judging.get_by_role("alert").filter(has_text="Lacuna was upgraded: reload this page")).to_be_visible()
    press(judging, "3")
    assert list(Judgment.objects.values_list("grade", flat=True)) == [2]
    assert passage(judging) == before
    judging.get_by_role("button", name="Reload").click()
    expect(judging.get_by_text("1 / 3")).to_be_visible()
    press(judging, "3")
    assert list(Judgment.objects.order_by("pk").values_list("grade", flat=True)) == [2, 3]


@pytest.mark.parametrize("status", [422, 502])
def test_a_grade_that_the_newer_server_does_not_take_from_the_old_page_is_sent_by_the_new_one(
    judging, press, settings, status
):
    settings.VERSION = "next"
    newer = {"X-Lacuna-Version": "next"}
    judging.route("**/judge/save/", lambda route: route.fulfill(status=status, headers=newer))
    press(judging, "2")
    expect(judging.get_by_text("Lacuna was upgraded").first).to_be_visible()
    judging.unroute("**/judge/save/")
    assert not Judgment.objects.exists()
    judging.get_by_role("button", name="Reload").click()
    expect(judging.get_by_text("1 / 3")).to_be_visible()
    assert Judgment.objects.get().grade == 2


def test_the_claim_s_renewal_tells_before_anything_is_graded(page, sign_in, collection, settings):
    page.clock.install()
    sign_in(page, factories.make_assessor(collection).user)
    page.goto("/c/cards/judge/")
    settings.VERSION = "next"
    page.clock.fast_forward("06:00")
    expect(page.get_by_text("Lacuna was upgraded")).to_be_visible()


def test_a_page_that_asks_for_itself_says_so_once_and_shows_nothing_of_the_newer_server(
    page, sign_in, collection, settings
):
    sign_in(page, collection.created_by)
    page.clock.install()
    page.goto(reverse("judging_settings", args=["cards"]))
    factories.judge(factories.make_assessor(collection, "zoe"))
    settings.VERSION = "next"
    for _ in range(2):
        with page.expect_response("**/judging/progress/"):
            page.clock.fast_forward("00:06")
    expect(page.get_by_text("Lacuna was upgraded")).to_have_count(1)
    expect(page.get_by_text("zoe")).to_have_count(0)


def test_a_page_of_the_same_version_says_nothing(judging, press):
    press(judging, "2")
    expect(judging.get_by_text("Lacuna was upgraded")).to_have_count(0)
    expect(judging.get_by_text("1 / 3")).to_be_visible()

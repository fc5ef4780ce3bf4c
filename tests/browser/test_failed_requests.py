"""A request of a page's script that fails is told in words, on every page; nothing is shown in its place."""

import pytest
from playwright.sync_api import expect

from annotate.models import Judgment, User
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WHY = {
    0: "The server does not answer.",
    401: "Your session has ended.",
    403: "You may not do this, or your session has changed.",
    404: "This is not there any more.",
    409: "This was changed meanwhile.",
    429: "Too many requests came at once.",
    500: "The server answered with a fault (500).",
    503: "The server cannot do this now.",
}


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection("told"), topics=1, passages=3)


@pytest.fixture
def researching(page, sign_in, collection):
    sign_in(page, collection.created_by)
    return page


def answer_with(page, where: str, status: int) -> None:
    page.route(where, lambda route: route.fulfill(status=status) if status else route.abort())


def test_a_preview_that_fails_says_why_and_the_next_that_works_takes_it_back(researching, wait_for_htmx):
    page = researching
    page.goto("/c/told/guidelines/")
    told = page.locator("#request-failed")
    for status, why in WHY.items():
        answer_with(page, "**/guidelines/", status)
        page.get_by_role("button", name="Preview").click()
        expect(told).to_contain_text(why)
        expect(told.get_by_role("link", name="Sign in")).to_be_visible(visible=status in (401, 403))
        page.unroute("**/guidelines/")
    page.get_by_role("button", name="Preview").click()
    wait_for_htmx(page)
    expect(told).to_have_count(0)


def test_live_progress_says_so_when_the_session_is_gone(researching):
    page = researching
    page.goto("/c/told/judging/")
    expect(page.locator("#judging-progress")).to_be_visible()
    page.context.clear_cookies()
    expect(page.locator("#request-failed")).to_contain_text("Your session has ended.", timeout=15_000)
    page.locator("#request-failed").get_by_role("link", name="Sign in").click()
    expect(page).to_have_url("**/sign-in/?next=%2Fc%2Ftold%2Fjudging%2F".replace("**", page.url.split("/sign-in")[0]))


def test_a_grade_waits_for_who_must_choose_a_password_first(page, sign_in, collection, press, wait_for_htmx):
    assessor = factories.make_assessor(collection)
    sign_in(page, assessor.user)
    page.goto("/c/told/judge/")
    User.objects.filter(pk=assessor.user_id).update(must_change_password=True)
    press(page, "2")
    expect(page.get_by_text("Not saved: your grade 2.")).to_be_visible()
    expect(page.locator("#judging")).not_to_contain_text("password")
    assert not Judgment.objects.exists()
    User.objects.filter(pk=assessor.user_id).update(must_change_password=False)
    page.get_by_role("button", name="Send again").click()
    expect(page.get_by_text("Not saved")).to_have_count(0)
    wait_for_htmx(page)
    assert list(Judgment.objects.values_list("grade", flat=True)) == [2]

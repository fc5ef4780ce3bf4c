"""A save that fails, a session that ends, another person in the same browser: no judgment is lost and none is false."""

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from annotate.models import Judgment
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SAVE = "**/judge/save/"


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection("kept"), topics=1, passages=4)


@pytest.fixture
def assessor(collection):
    return factories.make_assessor(collection)


@pytest.fixture
def judging(page, sign_in, assessor):
    sign_in(page, assessor.user)
    page.goto("/c/kept/judge/")
    return page


def grades() -> list[int | None]:
    return list(Judgment.objects.filter(is_current=True).order_by("created_at").values_list("grade", flat=True))


def passage(page) -> str:
    return page.locator(".passage-text").inner_text()


@pytest.mark.parametrize("fault", ["server", "network"])
def test_a_failed_save_stays_on_screen_and_a_retry_stores_it_once(judging, press, wait_for_htmx, fault):
    answers = {"server": lambda route: route.fulfill(status=503), "network": lambda route: route.abort()}
    judging.route(SAVE, answers[fault])
    before = passage(judging)
    press(judging, "2")
    expect(judging.get_by_text("Not saved: your grade 2.")).to_be_visible()
    press(judging, "0")
    assert (grades(), passage(judging)) == ([], before)
    judging.unroute(SAVE)
    judging.get_by_role("button", name="Send again").click()
    expect(judging.get_by_text("Not saved")).to_have_count(0)
    wait_for_htmx(judging)
    assert grades() == [2]
    assert passage(judging) != before
    press(judging, "1")
    assert grades() == [2, 1]


def test_a_save_that_was_stored_but_not_acknowledged_is_one_judgment(judging, press, wait_for_htmx):
    def lose_the_answer(route):
        route.fetch()
        route.abort()

    judging.route(SAVE, lose_the_answer)
    press(judging, "3")
    judging.unroute(SAVE)
    press(judging, "Enter")
    expect(judging.get_by_text("Not saved")).to_have_count(0)
    assert grades() == [3]


def test_leaving_with_something_unsaved_warns(judging, press):
    warned = []
    judging.route(SAVE, lambda route: route.abort())
    press(judging, "2")
    judging.on("dialog", lambda dialog: (warned.append(dialog.type), dialog.dismiss()))
    judging.close(run_before_unload=True)
    judging.wait_for_timeout(300)
    assert warned == ["beforeunload"]


def test_after_the_session_ended_the_grade_is_stored_once_the_person_signs_in(judging, press, assessor):
    Session.objects.all().delete()
    press(judging, "3")
    expect(judging.get_by_text("Your session has ended.")).to_be_visible()
    judging.get_by_role("link", name="Sign in again").click()
    fill_sign_in(judging, assessor.user.username)
    expect(judging.get_by_text("1 / 4")).to_be_visible()
    assert grades() == [3]


def test_another_person_who_signs_in_never_sends_it(judging, press, collection, assessor, wait_for_htmx):
    other = factories.make_assessor(collection)
    Session.objects.all().delete()
    press(judging, "3")
    judging.get_by_role("link", name="Sign in again").click()
    fill_sign_in(judging, other.user.username)
    expect(judging.locator("#judging")).to_have_attribute("data-person", str(other.user.pk))
    wait_for_htmx(judging)
    assert grades() == []
    press(judging, "1")
    assert list(Judgment.objects.values_list("assessor", "grade")) == [(other.pk, 1)]
    judging.locator("#person-menu > summary").click()
    judging.get_by_role("button", name="Sign out").click()
    judging.goto("/sign-in/?next=/c/kept/judge/")
    fill_sign_in(judging, assessor.user.username)
    expect(judging.get_by_text("1 / ")).to_be_visible()
    assert Judgment.objects.get(assessor=assessor).grade == 3


def test_who_signed_out_and_in_again_in_another_tab_goes_on_in_this_one(judging, press, assessor):
    other = judging.context.new_page()
    other.goto("/")
    other.locator("#person-menu > summary").click()
    other.get_by_role("button", name="Sign out").click()
    press(judging, "3")
    expect(judging.get_by_text("Not saved: your grade 3.")).to_be_visible()
    fill_sign_in(other, assessor.user.username)
    other.wait_for_url("**/")
    judging.get_by_role("button", name="Send again").click()
    expect(judging.get_by_text("1 / 4")).to_be_visible()
    press(judging, "1")
    assert grades() == [3, 1]


def test_a_page_of_another_person_cannot_save_under_the_present_one(judging, press, sign_in, collection):
    sign_in(judging, factories.make_assessor(collection).user)
    press(judging, "2")
    expect(judging.get_by_text("Another person has signed in in this browser")).to_be_visible()
    assert grades() == []


def test_what_was_unsaved_when_the_tab_was_closed_is_sent_when_the_page_is_opened_again(judging, press):
    judging.route(SAVE, lambda route: route.abort())
    press(judging, "1")
    expect(judging.get_by_text("Not saved")).to_be_visible()
    again = judging.context.new_page()
    judging.close()
    again.goto("/c/kept/judge/")
    expect(again.get_by_text("1 / 4")).to_be_visible()
    assert grades() == [1]


def test_nothing_of_a_passage_is_kept_in_the_browser(judging, press):
    judging.route(SAVE, lambda route: route.abort())
    text = passage(judging)
    press(judging, "1")
    kept = judging.evaluate("JSON.stringify(localStorage)")
    assert "lacuna-unsaved" in kept
    assert text not in kept


def test_a_discarded_answer_is_gone(judging, press):
    judging.route(SAVE, lambda route: route.abort())
    press(judging, "1")
    judging.unroute(SAVE)
    judging.get_by_role("button", name="Discard").click()
    judging.wait_for_load_state()
    expect(judging.get_by_text("Not saved")).to_have_count(0)
    assert grades() == []


def test_what_was_typed_and_not_saved_comes_back_with_its_card_and_with_no_other(judging, press):
    press(judging, "2")
    write(judging, press, "half a thought")
    press(judging, "u")
    expect(judging.get_by_label("Comment")).to_have_value("")
    write(judging, press, "another")
    press(judging, "ArrowRight")
    expect(judging.get_by_label("Comment")).to_have_value("half a thought")
    judging.reload()
    expect(judging.get_by_label("Comment")).to_have_value("half a thought")
    press(judging, "1")
    assert Judgment.objects.latest("pk").comment == "half a thought"
    expect(judging.get_by_label("Comment")).to_have_value("")
    press(judging, "u")
    press(judging, "u")
    expect(judging.get_by_label("Comment")).to_have_value("another")
    press(judging, "2")
    assert "lacuna-draft" not in judging.evaluate("JSON.stringify(localStorage)")


def test_what_was_typed_against_an_older_version_of_an_answer_does_not_come_back(judging, press):
    press(judging, "2")
    press(judging, "u")
    write(judging, press, "of the first version")
    other = judging.context.new_page()
    other.goto(judging.url)
    other.get_by_label("Comment").fill("said meanwhile")
    press(other, "Escape")
    press(other, "3")
    judging.reload()
    expect(judging.get_by_label("Comment")).to_have_value("said meanwhile")


def test_what_one_person_typed_is_not_shown_to_another(judging, press, sign_in, collection):
    write(judging, press, "mine")
    sign_in(judging, factories.make_assessor(collection).user)
    judging.reload()
    expect(judging.get_by_label("Comment")).to_have_value("")


def test_a_double_click_is_one_judgment(judging, wait_for_htmx):
    judging.wait_for_timeout(300)
    judging.locator("label.grade-choice", has_text="related").dblclick()
    wait_for_htmx(judging)
    judging.wait_for_timeout(200)
    assert grades() == [1]


def test_two_tabs_with_the_same_pair_store_the_first_answer_and_tell_of_the_second(judging, press):
    other = judging.context.new_page()
    other.goto("/c/kept/judge/")
    assert passage(other) == passage(judging)
    press(judging, "2")
    press(other, "0")
    expect(other.get_by_text("This pair was saved before, from another tab perhaps.")).to_be_visible()
    assert grades() == [2]


def test_a_skip_that_does_not_reach_the_server_says_so(judging, press):
    judging.route("**/judge/skip/", lambda route: route.abort())
    press(judging, "s")
    expect(judging.get_by_text("nothing was changed")).to_be_visible()
    press(judging, "2")
    assert grades() == [2]


def write(page, press, comment: str) -> None:
    page.get_by_label("Comment").fill(comment)
    press(page, "Escape")


def fill_sign_in(page, username: str) -> None:
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password").fill(factories.PASSWORD)
    page.get_by_role("button", name="Sign in").click()

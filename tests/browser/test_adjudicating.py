"""Adjudicating with two keys a pair."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from playwright.sync_api import expect

from annotate.models import Adjudication, Collection, Judgment, Pair
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def collection() -> Collection:
    """Three pairs to settle: spread 3, spread 1, and one that nobody could judge."""
    made, pairs = factories.make_judged([0, 1, None, 2], [3, 2, None, 2], slug="cards")
    Judgment.objects.filter(grade=3).update(is_unsure=True, comment="It names the thing, but not the year.")
    factories.make_suggestions(made, grade=1, reason="It tells a part.")
    return made


@pytest.fixture
def adjudicator(collection):
    return factories.make_adjudicator(collection)


@pytest.fixture
def adjudicating(page, sign_in, adjudicator):
    sign_in(page, adjudicator.user)
    page.goto("/c/cards/adjudication/next/")
    return page


def stored() -> list[tuple[int | None, str]]:
    rows = Adjudication.objects.filter(is_current=True).order_by("created_at")
    return list(rows.values_list("grade", "reason"))


def test_a_grade_and_a_reason_in_either_order_decide_and_bring_the_next_pair(adjudicating, press):
    press(adjudicating, "2")
    assert stored() == []
    expect(adjudicating.locator("#said")).to_have_text("Now the reason.")
    press(adjudicating, "q")
    assert stored() == [(2, "The guidelines say so.")]
    expect(adjudicating.locator("#passage-heading")).to_be_focused()
    expect(adjudicating.locator("#said")).to_contain_text("Saved: 2.")
    press(adjudicating, "w")
    press(adjudicating, "Shift+Numpad1")
    press(adjudicating, "n")
    press(adjudicating, "c")
    adjudicating.keyboard.type("cut off at 2 of 3")
    press(adjudicating, "Control+Enter")
    assert stored() == [(2, "The guidelines say so."), (1, "The majority is right."), (None, "cut off at 2 of 3")]
    expect(adjudicating.get_by_role("heading", name="Nothing waits for a decision")).to_be_focused()


def test_s_goes_on_without_deciding_and_u_reopens_the_last_decision(adjudicating, press):
    first = adjudicating.locator(".passage-text").inner_text()
    press(adjudicating, "s")
    assert adjudicating.locator(".passage-text").inner_text() != first
    press(adjudicating, "0")
    press(adjudicating, "e")
    press(adjudicating, "u")
    expect(adjudicating.get_by_role("heading", name="Decided")).to_be_visible()
    press(adjudicating, "3")
    press(adjudicating, "q")
    assert stored() == [(3, "The guidelines say so.")]
    press(adjudicating, "s")
    expect(adjudicating.get_by_role("heading", name="You have gone through all of them")).to_be_visible()
    adjudicating.get_by_role("link", name="Begin again").click()
    expect(adjudicating.locator(".passage-text")).to_have_text(first)


def test_keys_are_dead_in_a_text_field_with_a_modifier_and_when_held(adjudicating, press):
    press(adjudicating, "Control+2")
    press(adjudicating, "c")
    adjudicating.keyboard.type("2 q s")
    press(adjudicating, "Escape")
    expect(adjudicating.locator("[name=grade]:checked")).to_have_count(0)
    expect(adjudicating.locator("[name=reason]")).to_have_value("2 q s")
    for _ in range(5):
        adjudicating.keyboard.down("1")
    adjudicating.keyboard.up("1")
    adjudicating.wait_for_function("() => !document.querySelector('.htmx-request')")
    assert stored() == [(1, "2 q s")]


def test_who_confirms_with_enter_decides_nothing_without_it(page, sign_in, adjudicator, press):
    adjudicator.user.confirms_with_enter = True
    adjudicator.user.save()
    sign_in(page, adjudicator.user)
    page.goto("/c/cards/adjudication/next/")
    press(page, "2")
    press(page, "q")
    assert stored() == []
    press(page, "Enter")
    assert stored() == [(2, "The guidelines say so.")]


def test_a_decision_that_could_not_be_saved_stays_on_the_screen_and_is_sent_again(adjudicating, press):
    adjudicating.route("**/decide/", lambda route: route.fulfill(status=503))
    before = adjudicating.locator(".passage-text").inner_text()
    press(adjudicating, "2")
    press(adjudicating, "q")
    expect(adjudicating.get_by_text("Not saved: your decision for 2.")).to_be_visible()
    assert adjudicating.locator(".passage-text").inner_text() == before
    assert stored() == []
    adjudicating.unroute("**/decide/")
    adjudicating.get_by_role("button", name="Send again").click()
    expect(adjudicating.locator("#said")).to_contain_text("Saved: 2.")
    assert stored() == [(2, "The guidelines say so.")]


def test_a_reason_that_was_typed_and_not_saved_comes_back_with_its_pair(adjudicating, press):
    press(adjudicating, "c")
    adjudicating.keyboard.type("half a thought")
    press(adjudicating, "Escape")
    press(adjudicating, "s")
    expect(adjudicating.locator("[name=reason]")).to_have_value("")
    adjudicating.goto("/c/cards/adjudication/next/")
    expect(adjudicating.locator("[name=reason]")).to_have_value("half a thought")


def test_a_decision_is_made_without_a_script(new_page, sign_in, adjudicator):
    page = new_page(java_script_enabled=False)
    sign_in(page, adjudicator.user)
    page.goto("/c/cards/adjudication/next/")
    page.locator("[name=grade][value='1']").check(force=True)
    page.get_by_label("The majority is right.").check()
    page.get_by_role("button", name="Save").click()
    assert stored() == [(1, "The majority is right.")]


def test_every_key_stands_once_in_the_table_and_the_list_shows_it(adjudicating, press):
    source = (Path(settings.BASE_DIR) / "static/js/adjudication_keys.js").read_text()
    table = re.search(r"KEYS = \[(.*?)\n\];", source, re.DOTALL)[1]
    keys = [key for line in re.findall(r"keys: \[(.*?)\]", table) for key in re.findall(r'"(.*?)"', line)]
    assert len(keys) == len(set(keys))
    press(adjudicating, "?")
    expect(adjudicating.get_by_role("dialog")).to_contain_text("nobody can judge this")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_no_page_is_wider_than_a_small_telephone(new_page, sign_in, collection, scheme):
    Collection.objects.update(shows_names_to_adjudicators=True, shows_suggestions_to_adjudicators=True)
    adjudicator = factories.make_adjudicator(collection)
    decided = Pair.objects.get(spread=3)
    factories.adjudicate(adjudicator, decided, 3, reason="It is there.")
    Adjudication.objects.update(has_new_evidence=True)
    addresses = ["", "?show=decided", "next/", f"{decided.pk}/", "next/?show=flagged"]
    for user in (adjudicator.user, collection.created_by):
        page = new_page(color_scheme=scheme, viewport={"width": 360, "height": 740})
        sign_in(page, user)
        for address in ["/", "/c/cards/", *(f"/c/cards/adjudication/{part}" for part in addresses)]:
            page.goto(address)
            found = [(fault["id"], fault["nodes"][0]["html"]) for fault in Axe().run(page).response["violations"]]
            assert (address, found) == (address, [])
            assert page.evaluate("document.documentElement.scrollWidth") == 360, address

"""Judging with one key a pair, as an assessor does for hours."""

import re
from contextlib import nullcontext
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import expect

from annotate.models import Judgment
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def assessor():
    collection = factories.make_holes(factories.make_collection("cards"), topics=2, passages=4)
    return factories.make_assessor(collection)


@pytest.fixture
def judging(page, sign_in, assessor):
    """The judging page of the assessor."""
    sign_in(page, assessor.user)
    page.goto("/c/cards/judge/")
    return page


def stored() -> list[int | None]:
    return list(Judgment.objects.filter(is_current=True).order_by("created_at").values_list("grade", flat=True))


def passage(page) -> str:
    return page.locator(".passage-text").inner_text()


# The pad of this keyboard gives its digits with shift, as with NumLock off.
@pytest.mark.parametrize("key", ["0", "1", "2", "3", *(f"Shift+Numpad{digit}" for digit in range(4))])
def test_each_digit_stores_its_own_number_and_brings_the_next_pair(judging, press, key):
    before = passage(judging)
    press(judging, key)
    assert stored() == [int(key[-1])]
    assert passage(judging) != before
    expect(judging.locator("#passage-heading")).to_be_focused()
    expect(judging.locator("#said")).to_contain_text(f"Saved: {key[-1]}.")


def test_twenty_pairs_take_twenty_keys_and_twenty_requests(page, sign_in, press):
    collection = factories.make_holes(factories.make_collection("many"), topics=4, passages=5)
    sign_in(page, factories.make_assessor(collection).user)
    page.goto("/c/many/judge/")
    page.wait_for_load_state("networkidle")  # the icon, say, comes late on a busy machine
    requests = []
    page.on("request", lambda request: requests.append(request.method))
    for number in range(20):
        press(page, str(number % 4))
    assert stored() == [0, 1, 2, 3] * 5
    assert requests == ["POST"] * 20
    expect(page.get_by_role("heading", name="All is judged")).to_be_visible()


@pytest.mark.parametrize(("second", "after_ms"), [("0", 100), ("s", 100), ("ArrowLeft", 20)])
def test_a_second_key_right_after_the_first_is_dropped(judging, wait_for_htmx, second, after_ms):
    judging.wait_for_timeout(300)
    judging.keyboard.press("2")
    judging.wait_for_timeout(after_ms)
    judging.keyboard.press(second)
    wait_for_htmx(judging)
    assert stored() == [2]
    expect(judging.get_by_text("1 / 8")).to_be_visible()
    expect(judging.get_by_text("skipped")).to_have_count(0)
    expect(judging.get_by_text("You judged this pair before")).to_have_count(0)


def test_a_held_key_gives_one_judgment(judging, wait_for_htmx):
    judging.wait_for_timeout(300)
    for _ in range(20):
        judging.keyboard.down("0")
        judging.wait_for_timeout(60)
    judging.keyboard.up("0")
    wait_for_htmx(judging)
    assert stored() == [0]


@pytest.mark.parametrize("chord", ["Control+2", "Alt+2", "Meta+2"])
def test_a_digit_with_a_modifier_grades_nothing(judging, press, chord):
    press(judging, chord)
    assert stored() == []


def test_a_key_of_an_input_method_that_composes_grades_nothing(judging):
    judging.wait_for_timeout(300)
    for is_composing, grades in [(True, []), (False, [2])]:
        with_answer = judging.expect_response("**/save/") if not is_composing else nullcontext()
        with with_answer:
            judging.evaluate(
                "(isComposing) => document.body.dispatchEvent(new KeyboardEvent('keydown', "
                "{ key: '2', code: 'Digit2', bubbles: true, isComposing }))",
                is_composing,
            )
        assert stored() == grades


def test_text_typed_into_the_comment_grades_nothing_and_ctrl_enter_saves_it(judging, press):
    press(judging, "c")
    judging.keyboard.type("see 2 of 3?")
    assert stored() == []
    press(judging, "Escape")
    press(judging, "f")
    press(judging, "2")
    judgment = Judgment.objects.get()
    assert (judgment.grade, judgment.comment, judgment.is_unsure) == (2, "see 2 of 3?", True)
    press(judging, "c")
    judging.keyboard.type("and this")
    press(judging, "Escape")
    judging.locator("[name=grade][value='1']").focus()
    press(judging, "Space")
    press(judging, "c")
    press(judging, "Control+Enter")
    assert stored() == [2, 1]


def test_back_reopens_the_last_judgment_and_judging_goes_on_at_the_same_place(judging, press):
    press(judging, "2")
    second = passage(judging)
    press(judging, "u")
    expect(judging.get_by_text("You judged this pair before")).to_be_visible()
    assert passage(judging) != second
    press(judging, "1")
    assert stored() == [1]
    assert Judgment.objects.count() == 2
    assert passage(judging) == second


def test_the_back_button_leads_to_the_page_before_and_forward_to_the_pair_that_is_to_judge(judging, press):
    first = passage(judging)
    press(judging, "2")
    second = passage(judging)
    judging.goto("/account/")
    judging.go_back()
    expect(judging.locator(".passage-text")).to_have_text(second)
    press(judging, "1")
    assert stored() == [2, 1]
    judging.go_forward()
    judging.go_back()
    assert passage(judging) not in (first, second)
    assert stored() == [2, 1]


def test_the_arrows_walk_through_the_own_history(judging, press):
    seen = []
    for _ in range(3):
        seen.append(passage(judging))
        press(judging, "3")
    fourth = passage(judging)
    for back in reversed(seen):
        press(judging, "ArrowLeft")
        assert passage(judging) == back
    for onward in [*seen[1:], fourth]:
        press(judging, "ArrowRight")
        assert passage(judging) == onward


def test_a_skipped_pair_comes_back_at_the_end(judging, press):
    first = passage(judging)
    press(judging, "s")
    for _ in range(7):
        assert passage(judging) != first
        press(judging, "0")
    assert passage(judging) == first
    expect(judging.get_by_text("1 skipped")).to_be_visible()


def test_a_pair_that_cannot_be_judged_takes_a_reason_and_no_grade(judging, press):
    press(judging, "n")
    press(judging, "Enter")
    judgment = Judgment.objects.get()
    assert (judgment.outcome, judgment.grade, judgment.reason) == ("CANNOT", None, "The passage cannot be read.")
    press(judging, "n")
    judging.get_by_label("Another reason").fill("half of it is missing")
    press(judging, "Enter")
    assert Judgment.objects.order_by("created_at").last().reason == "half of it is missing"


def test_a_skip_that_has_the_focus_does_not_catch_a_grade(judging, press):
    judging.locator("[data-press=skip]").focus()
    press(judging, "2")
    assert stored() == [2]


def test_with_confirmation_a_grade_is_selected_first_and_saved_with_enter(page, sign_in, assessor, press):
    type(assessor.user).objects.update(confirms_with_enter=True)
    sign_in(page, assessor.user)
    page.goto("/c/cards/judge/")
    press(page, "2")
    press(page, "1")
    assert stored() == []
    press(page, "Enter")
    assert stored() == [1]


def test_switched_off_single_keys_do_nothing_except_on_a_focused_grade(page, sign_in, assessor, press):
    type(assessor.user).objects.update(has_single_key_shortcuts=False)
    sign_in(page, assessor.user)
    page.goto("/c/cards/judge/")
    press(page, "2")
    press(page, "s")
    assert stored() == []
    page.locator("[name=grade]").first.focus()
    press(page, "2")
    assert stored() == [2]


def test_folds_are_remembered_on_the_next_pair(judging, press):
    guidelines = judging.locator("[data-fold=guidelines]")
    press(judging, "g")
    expect(guidelines).not_to_have_attribute("open", "")
    press(judging, "2")
    expect(guidelines).not_to_have_attribute("open", "")
    press(judging, "g")
    expect(guidelines).to_have_attribute("open", "")


def test_the_keys_are_dead_on_other_pages_and_behind_the_list_of_keys(judging, press):
    press(judging, "?")
    expect(judging.get_by_role("dialog", name="Keys")).to_be_visible()
    press(judging, "2")
    press(judging, "Escape")
    assert stored() == []
    judging.get_by_role("link", name="My judgments").click()
    press(judging, "2")
    assert stored() == []


def test_no_key_stands_twice_in_the_table_and_only_grades_use_digits():
    source = (Path(settings.BASE_DIR) / "static/js/judging_keys.js").read_text()
    table = re.search(r"KEYS = \[(.*?)\n\];", source, re.DOTALL)[1]
    entries = [re.findall(r'"([^"]+)"', keys) for keys in re.findall(r"keys: \[(.*?)\]", table)]
    keys = [key for entry in entries for key in entry]
    assert sorted(set(keys)) == sorted(keys)
    assert [entry for entry in entries if any(key.isdigit() for key in entry)] == [list("0123456789")]
    assert "Backspace" not in keys

"""The keys of the judging page on scales other than 0-3."""

import pytest
from playwright.sync_api import expect

from annotate.models import Judgment
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 2), (1, 5), (0, 9)])
def test_the_digits_of_the_scale_are_listed_and_grade_and_no_others(page, sign_in, press, wait_for_htmx, low, high):
    grades = [*range(low, high + 1)]
    collection = factories.make_collection("cards", scale=f"{low}-{high}")
    factories.make_holes(collection, topics=1, passages=len(grades) + 1)
    sign_in(page, factories.make_assessor(collection).user)
    page.goto("/c/cards/judge/")

    press(page, "?")
    keys = page.get_by_role("dialog", name="Keys").get_by_role("row").filter(has_text="grade, save, next")
    expect(keys.locator("kbd")).to_have_text([str(grade) for grade in grades])
    press(page, "Escape")
    for digit in sorted({*range(10)} - {*grades}):
        page.keyboard.press(str(digit))
    wait_for_htmx(page)
    assert not Judgment.objects.exists()
    for grade in grades:
        press(page, str(grade))
    assert list(Judgment.objects.order_by("created_at").values_list("grade", flat=True)) == grades


def test_where_there_is_nothing_to_grade_no_digit_is_listed(page, sign_in, press):
    sign_in(page, factories.make_assessor(factories.make_collection("cards")).user)
    page.goto("/c/cards/judge/")
    press(page, "?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog.get_by_text("all keys")).to_be_visible()
    expect(dialog.get_by_text("grade, save, next")).to_have_count(0)

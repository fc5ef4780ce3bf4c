"""How the judging page stands on small screens, enlarged, for a screen reader, and with texts of any script."""

import pytest
from playwright.sync_api import expect

from annotate.models import Judgment, Topic
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LEAST_PX = 44  # the size of a target
ARABIC = "ما هي عاصمة فرنسا؟"
FOUR_BYTES = "𠮷野家 😀 𝔘 naïve"
TARGETS = "#judging :is(button, summary, a, textarea, input:not([type=hidden]))"
SIZES = """(selector) => {
    const seen = [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    return seen.map((element) => {
        const target = element.closest("label") ?? element;
        const { width, height, left, right } = target.getBoundingClientRect();
        return { what: target.innerText || target.name || target.outerHTML, width, height, left, right };
    });
}"""


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection("cards"), topics=1, passages=3)


@pytest.fixture
def open_judging(new_page, sign_in, collection):
    """`open_judging(width=..., height=...)`: the judging page of a new assessor."""

    def open_page(width=1280, height=900, **options):
        page = new_page(viewport={"width": width, "height": height}, **options)
        sign_in(page, factories.make_assessor(collection).user)
        page.goto("/c/cards/judge/")
        return page

    return open_page


# 1280 x 900 at 200 % is a window of 640 x 450.
@pytest.mark.parametrize(("width", "height"), [(320, 640), (640, 450)])
def test_a_small_or_enlarged_window_shows_all_without_scrolling_sideways(
    open_judging, collection, press, width, height
):
    collection.passages.update(text="a word and " + "x" * 300)
    Topic.objects.update(text="q" * 200)
    page = open_judging(width, height)

    assert page.evaluate("document.documentElement.scrollWidth") == width
    outside = [each for each in page.evaluate(SIZES, TARGETS) if each["left"] < 0 or each["right"] > width]
    assert outside == []
    for name in ("Save", "Skip"):
        button = page.get_by_role("button", name=name, exact=False).first
        button.scroll_into_view_if_needed()
        expect(button).to_be_in_viewport()
    press(page, "2")
    assert Judgment.objects.get().grade == 2


@pytest.mark.parametrize("width", [320, 1280])
def test_every_target_of_the_page_is_large_enough_for_a_finger(open_judging, press, width):
    page = open_judging(width)
    press(page, "1")
    page.locator("[data-press=cannot] > summary").click()
    small = [
        (each["what"], each["width"], each["height"])
        for each in page.evaluate(SIZES, TARGETS)
        if min(each["width"], each["height"]) < LEAST_PX
    ]

    assert small == []


def test_a_screen_reader_finds_landmarks_headings_names_and_a_live_region(open_judging, press):
    page = open_judging()

    for role, name in [
        ("banner", None),
        ("navigation", "Where you are"),
        ("main", None),
        ("region", "Pair to judge"),
        ("complementary", "Guidelines"),
        ("article", "Passage"),
        ("group", "Grade of the passage"),
    ]:
        expect(page.get_by_role(role, name=name)).to_have_count(1)
    assert page.get_by_role("heading", level=1).inner_text().endswith("what is q1")
    expect(page.get_by_role("radio", name="3 perfectly relevant")).to_have_count(1)
    expect(page.get_by_role("textbox", name="Comment")).to_have_count(1)
    press(page, "2")
    expect(page.get_by_role("status").filter(has_text="Saved: 2. Next: what is q1")).to_have_count(1)


def test_a_text_from_right_to_left_stands_so_in_query_passage_and_comment(open_judging, collection):
    collection.passages.update(text=ARABIC, title=ARABIC)
    Topic.objects.update(text=ARABIC)
    page = open_judging()
    page.get_by_label("Comment").fill(ARABIC)

    for place in (".query > [dir]", ".passage-title", ".passage-text", "[name=comment]"):
        assert page.locator(place).evaluate("(element) => element.matches(':dir(rtl)')"), place
    assert page.locator(".judging-head").evaluate("(element) => element.matches(':dir(ltr)')")


def test_characters_of_four_bytes_are_shown_said_and_stored_as_they_are(open_judging, collection, press):
    collection.passages.update(text=FOUR_BYTES)
    Topic.objects.update(text=FOUR_BYTES)
    page = open_judging()
    page.get_by_label("Comment").fill(FOUR_BYTES)
    press(page, "Escape")
    press(page, "2")

    assert Judgment.objects.get().comment == FOUR_BYTES
    assert page.locator(".passage-text").text_content() == FOUR_BYTES
    expect(page.locator("#said")).to_have_text(f"Saved: 2. Next: {FOUR_BYTES}")


def test_nothing_moves_where_the_person_wants_less_motion(open_judging):
    page = open_judging(reduced_motion="reduce")
    moving = page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((element) => {
            const { transitionDuration, animationName } = getComputedStyle(element);
            return animationName !== "none" || transitionDuration.split(", ").some((time) => parseFloat(time) > 0);
        }).map((element) => element.outerHTML)"""
    )

    assert moving == []

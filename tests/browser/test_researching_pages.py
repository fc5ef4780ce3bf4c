"""The researcher's pages as a person meets them."""

import pytest
from django.urls import reverse

from annotate.models import Guidelines
from annotate.work import engine
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = [
    "collection",
    "imports",
    "pool",
    "pairs",
    "near_duplicates",
    "backstories",
    "write_backstories",
    "variants",
    "write_variants",
    "profiles",
    "suggestions",
    "judging_settings",
    "guidelines",
    "people",
    "exports",
]


@pytest.fixture
def collection():
    """Holes, a reference, a model, a judgment and a frozen version: something on every page."""
    made = factories.make_holes(factories.make_collection("dl"))
    factories.import_qrels(made, "q1 0 d1.1 2\n")
    factories.make_suggestions(made)
    factories.judge(factories.make_assessor(made))
    return made


@pytest.mark.parametrize("name", PAGES)
def test_no_page_is_wider_than_a_small_telephone(new_page, sign_in, collection, name):
    page = new_page(viewport={"width": 360, "height": 740})
    sign_in(page, collection.created_by)
    page.goto(reverse(name, args=["dl"]))

    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_a_pool_is_built_and_its_progress_leads_to_the_result(page, sign_in, collection):
    factories.import_text(collection, "RUN", "q1 Q0 d1.1 1 2.5 second\nq1 Q0 d9 2 1.5 second\n")
    sign_in(page, collection.created_by)
    page.goto(reverse("pool", args=["dl"]))
    page.get_by_role("button", name="Build").click()
    page.get_by_text("pool to depth 10: waiting").wait_for()
    engine.run_waiting()

    page.get_by_role("link", name="Show the result").click()
    page.get_by_text("7 pooled pairs").wait_for()


def test_work_that_waits_is_stopped_and_taken_up_again_in_place(page, sign_in, collection):
    sign_in(page, collection.created_by)
    page.goto(reverse("pool", args=["dl"]))
    page.get_by_role("button", name="Build").click()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("pool to depth 10: stopped").wait_for()
    page.get_by_role("button", name="Take it up again").click()

    page.get_by_role("button", name="Stop").wait_for()
    assert engine.run_waiting() == 1


def test_guidelines_are_previewed_beside_what_is_being_typed(page, sign_in, collection, wait_for_htmx):
    sign_in(page, collection.created_by)
    page.goto(reverse("guidelines", args=["dl"]))
    text = page.get_by_label("Guidelines", exact=True).and_(page.locator("textarea"))
    text.fill("be **kind**")
    page.get_by_role("button", name="Preview").click()
    wait_for_htmx(page)

    assert page.locator("#guidelines-shown strong").inner_text() == "kind"
    assert text.input_value() == "be **kind**"
    assert Guidelines.objects.count() == 1
    page.get_by_role("button", name="Save as a new version").click()
    page.get_by_text("Version 2 is what assessors read now").wait_for()


def test_holes_are_previewed_drawn_and_brought_back(page, sign_in, collection):
    sign_in(page, collection.created_by)
    page.goto(reverse("pool", args=["dl"]))
    page.get_by_label("Share to drop").fill("1")
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("This draw would drop").wait_for()
    page.get_by_role("button", name="Draw the holes").click()
    page.get_by_text("1 of the grades are dropped").wait_for()

    page.get_by_text("Take the draw back…").click()
    page.get_by_role("button", name="Bring the grades back").click()
    page.get_by_text("1 of the grades count again").wait_for()

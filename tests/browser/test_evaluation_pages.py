"""Leaderboard and agreement as a researcher meets them."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from annotate.work import engine
from evaluation.findings import influence, run_indexes
from tests import factories
from tests.integration.evaluation import small

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BOARD = "?rule=reference&other=model:model-a&unjudged=range"
PAGES = [
    ("leaderboard", BOARD),
    ("leaderboard_system", BOARD + "&system=first&topic=q1"),
    ("agreement", "?first=people&second=model-a&sort=n"),
    ("agreement_pairs", "?first=nist&second=model-a"),
    ("agreement_several", "?raters=nist&raters=model-a"),
    ("assessor_statistics", ""),
    ("influence", ""),
]


CUT_CAPTIONS = """() => [...document.querySelectorAll(".table-scroll caption:not(.visually-hidden)")]
    .filter(one => one.getBoundingClientRect().right > one.closest(".table-scroll").getBoundingClientRect().right + 1)
    .map(one => one.textContent)"""


@pytest.fixture
def collection():
    """Two systems, a reference, a model, people before and after a reveal; all findings are computed."""
    made = factories.make_holes(factories.make_collection("dl"))
    factories.import_text(made, "RUN", "q1 Q0 d1.2 1 2.5 second\nq2 Q0 d2.1 1 1.5 second\n", group="dense")
    factories.make_suggestions(made, reason="It names the query.")
    assessor = factories.make_assessor(made)
    factories.judge(assessor, 2)
    small.show_suggestions(made, reveal=1)
    small.decide(assessor, factories.judge(assessor, 3), 1)
    factories.import_qrels(made, "q1 0 d1.1 2\nq1 0 d1.2 0\nq2 0 d2.1 3\n")
    return made


@pytest.fixture
def computed(collection, page, sign_in):
    sign_in(page, collection.created_by)
    for name, address in PAGES:
        page.goto(reverse(name, args=["dl"]) + address)
    influence.request_influence(collection=collection, by=None, now=factories.NOW)
    engine.run_waiting()
    return collection


def test_no_page_is_wider_than_a_small_telephone(new_page, sign_in, computed):
    page = new_page(viewport={"width": 360, "height": 740})
    sign_in(page, computed.created_by)
    for name, address in PAGES:
        page.goto(reverse(name, args=["dl"]) + address)
        assert page.evaluate("document.documentElement.scrollWidth") == 360, name


def test_captions_wrap_to_what_is_in_view_however_wide_their_tables(new_page, sign_in, computed):
    page = new_page(viewport={"width": 360, "height": 740})
    sign_in(page, computed.created_by)
    for name, address in [("exports", ""), *PAGES]:
        page.goto(reverse(name, args=["dl"]) + address)
        assert page.evaluate(CUT_CAPTIONS) == [], name


def test_what_is_computed_in_the_background_comes_into_the_page_by_itself(page, sign_in, collection):
    sign_in(page, collection.created_by)
    page.goto(reverse("leaderboard", args=["dl"]) + BOARD)
    page.get_by_text("are being computed in the background").wait_for()
    engine.run_waiting()
    page.get_by_text("Pairs of systems by class").wait_for()
    assert page.locator("#changes[hx-get]").count() == 0


def test_without_javascript_tables_sort_and_a_figure_leads_to_its_pairs(new_page, sign_in, computed):
    page = new_page(java_script_enabled=False)
    sign_in(page, computed.created_by)
    page.goto(reverse("leaderboard", args=["dl"]) + BOARD)
    page.get_by_role("columnheader", name="System", exact=True).get_by_role("link").click()
    assert "sort=system" in page.url
    assert page.locator(".systems tbody th a").all_inner_texts() == ["first", "second"]

    page.goto(reverse("agreement", args=["dl"]) + "?first=nist&second=model-a")
    page.locator(".confusion td a").first.click()
    page.get_by_text("It names the query.").first.wait_for()
    assert page.get_by_role("heading", name="Pairs behind the figures").is_visible()
    page.get_by_role("link", name="CSV").wait_for()


def test_a_table_is_downloaded_under_its_name(page, sign_in, computed):
    sign_in(page, computed.created_by)
    page.goto(reverse("leaderboard", args=["dl"]) + BOARD)
    with page.expect_download() as download:
        page.locator("section:has(> #systems)").get_by_role("link", name="CSV").click()
    assert download.value.suggested_filename == "dl-systems.csv"


def test_a_figure_comes_into_its_page_when_it_is_drawn_and_says_what_is_on_it(page, sign_in, computed):
    sign_in(page, computed.created_by)
    page.goto(reverse("leaderboard", args=["dl"]) + BOARD)
    page.locator("figure").get_by_role("link", name="SVG").click()
    page.get_by_text("The figure is being drawn in the background.").wait_for()
    engine.run_waiting()
    page.get_by_role("img", name="Places of 2 systems by nDCG@10").wait_for()
    assert page.locator("[hx-get]").count() == 0
    assert Axe().run(page).response["violations"] == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Download dl-places.svg").click()
    assert download.value.suggested_filename == "dl-places.svg"


def test_the_systems_appear_by_themselves_once_the_runs_are_indexed(page, collection, sign_in, monkeypatch):
    monkeypatch.setattr(run_indexes, "AT_ONCE", 0)
    sign_in(page, collection.created_by)
    page.goto(reverse("leaderboard", args=["dl"]) + "?rule=reference&other=model:model-a&measure=AP(rel=2)")
    page.get_by_text("are being computed in the background").wait_for()
    engine.run_waiting()
    page.get_by_role("heading", name="Systems", exact=True).wait_for()
    assert page.get_by_text("AP(rel=2) over 2 topics").is_visible()

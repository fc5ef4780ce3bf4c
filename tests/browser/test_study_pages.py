"""Studies as a researcher meets them."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from annotate.work import engine
from evaluation.models import Study
from tests.integration.evaluation import study_site

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def collection():
    return study_site.make("lab")


@pytest.fixture
def addresses(collection):
    """The list, a form, a study that is done and one that waits."""
    study_site.finished(collection, title="W" * 120)
    study_site.request(collection, trials=4)
    study = [reverse("study", args=["lab", number]) for number in (1, 2)]
    return [reverse("studies", args=["lab"]), reverse("new_study", args=["lab", "holes"]), *study]


def test_no_page_is_wider_than_a_small_telephone_and_axe_finds_nothing(new_page, sign_in, collection, addresses):
    page = new_page(viewport={"width": 360, "height": 740})
    sign_in(page, collection.created_by)
    for address in addresses:
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") == 360, address
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            told = Axe().run(page).response["violations"]
            assert [(each["id"], node["html"]) for each in told for node in each["nodes"]] == [], address


def test_a_study_is_started_watched_and_read(page, sign_in, collection):
    sign_in(page, collection.created_by)
    page.goto(reverse("studies", args=["lab"]))
    page.get_by_role("link", name="Choose: Hole filling").click()
    page.get_by_label("Title").fill("Half away")
    page.get_by_label("Trials").fill("2")
    page.get_by_text("More settings").click()
    page.get_by_label("Shares taken away").fill("0.5")
    page.get_by_role("button", name="Start the study").click()
    page.get_by_role("heading", name="Half away").wait_for()
    page.get_by_role("button", name="Stop").wait_for()
    engine.run_waiting()
    page.get_by_role("link", name="Show the result").click()
    page.get_by_role("heading", name="Findings").wait_for()
    drawn = page.locator(".study-figure img")
    assert drawn.count() > 1
    assert all(drawn.nth(number).evaluate("image => image.complete && image.naturalWidth > 0") for number in range(2))


def test_without_javascript_a_study_is_started_and_deleted(new_page, sign_in, collection):
    page = new_page(java_script_enabled=False)
    sign_in(page, collection.created_by)
    page.goto(reverse("new_study", args=["lab", "holes"]))
    page.get_by_role("button", name="Estimate the time").click()
    page.get_by_text("It takes less than a minute").wait_for()
    page.get_by_role("button", name="Start the study").click()
    page.get_by_role("button", name="Run again").wait_for()
    assert Study.objects.count() == 1
    page.get_by_text("Delete", exact=True).click()
    page.get_by_role("button", name="Delete this study").click()
    page.get_by_text("is deleted").wait_for()
    assert not Study.objects.exists()


def test_tables_are_folded_but_the_first_and_open_on_paper(new_page, sign_in, collection):
    study_site.finished(collection)
    page = new_page(java_script_enabled=False)
    sign_in(page, collection.created_by)
    page.goto(reverse("study", args=["lab", 1]))
    are_shown = "tables => tables.map(table => table.checkVisibility())"
    tables = page.locator(".study-table table")
    assert tables.evaluate_all(are_shown) == [True] + [False] * (tables.count() - 1)
    page.emulate_media(media="print")
    assert tables.evaluate_all(are_shown) == [True] * tables.count()


def test_the_report_needs_no_network_and_has_no_script(new_page, collection, sign_in, tmp_path):
    study_site.finished(collection, title="<script>document.title = 'taken'</script>")
    page = new_page(viewport={"width": 360, "height": 740})
    sign_in(page, collection.created_by)
    with page.expect_download() as download:
        page.goto(reverse("study", args=["lab", 1]))
        page.get_by_role("link", name="report (one HTML file)").click()
    download.value.save_as(tmp_path / "report.html")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "report.html").as_uri())
    assert asked == [(tmp_path / "report.html").as_uri()]
    assert "taken" not in page.title().split("<script>")[0]
    assert page.locator("figure svg").count() > 1
    assert page.evaluate("document.documentElement.scrollWidth") == 360

"""Asking a language model as a researcher meets it: the dry run, the batch, the prompts."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from annotate.models import Batch
from annotate.work import engine
from tests import factories
from tests.model_service.script import Script
from tests.model_service.server import KEY, serving

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = ["suggestions/", "suggestions/calibration/", "suggestions/ask/", "suggestions/prompts/", "suggestions/probe/"]


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection("dl"), topics=2, passages=5)


@pytest.fixture
def service(monkeypatch):
    with serving(Script(share=0.3, faults=("words", "refusal"))) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.address)
        yield server


def test_a_dry_run_comes_before_the_first_call(page, sign_in, collection, service):
    sign_in(page, collection.created_by)
    page.goto("/c/dl/suggestions/ask/")
    page.get_by_label("Model", exact=True).fill("claude-haiku-4-5")
    page.get_by_role("button", name="Dry run").click()
    page.get_by_text("Dry run: no call was made").wait_for()
    assert service.script.calls == 0
    page.get_by_role("button", name="Start: 10 calls").click()
    page.wait_for_url("**/suggestions/batches/*/")
    engine.see_through(Batch.objects.get().work_id)
    page.reload()
    assert service.script.calls == 10
    assert page.get_by_text("10 answers paid").is_visible()
    page.get_by_role("button", name="Ask again about what has no grade").click()
    page.wait_for_url("**/suggestions/batches/*/")


def test_without_a_key_the_page_says_what_to_set(page, sign_in, collection, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    sign_in(page, collection.created_by)
    page.goto("/c/dl/suggestions/ask/")
    assert page.get_by_text("Set ANTHROPIC_API_KEY in the environment").is_visible()


def test_a_prompt_is_tried_on_a_pair_before_it_is_kept(page, sign_in, collection, service):
    sign_in(page, collection.created_by)
    page.goto("/c/dl/suggestions/prompts/")
    page.get_by_label("Name").fill("ours")
    page.get_by_text("Try it on one pair now").click()
    page.get_by_label("Model", exact=True).fill("claude-haiku-4-5")
    page.get_by_role("button", name="Ask this pair now").click()
    page.get_by_role("heading", name="Raw answer").wait_for()
    assert page.get_by_text("Nothing was kept.").is_visible()
    assert service.script.calls <= 1 and not Batch.objects.exists()


def test_a_prompt_is_previewed_on_a_pair_and_a_wrong_placeholder_is_named(page, sign_in, collection):
    sign_in(page, collection.created_by)
    page.goto("/c/dl/suggestions/prompts/")
    page.get_by_label("Name").fill("ours")
    page.get_by_role("button", name="Preview on a pair").click()
    page.get_by_text("What the model would read").wait_for()
    page.get_by_label("For each pair").fill("{need} {passage} {rank}")
    page.get_by_role("button", name="Keep").click()
    page.get_by_text("{rank} is not a placeholder").wait_for()


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_no_page_is_wider_than_a_small_telephone(new_page, sign_in, collection, address, scheme):
    page = new_page(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    sign_in(page, collection.created_by)
    page.goto(f"/c/dl/{address}")
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

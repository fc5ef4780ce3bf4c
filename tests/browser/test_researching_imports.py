"""Bringing files in, by a person with a mouse, and by one without JavaScript."""

import pytest
from django.urls import reverse

from annotate.models import Collection, ImportedFile
from annotate.work import engine
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DROP = """(place) => {
    const carried = new DataTransfer();
    carried.items.add(new File(["q1\\tone\\n"], "first.tsv"));
    carried.items.add(new File(["no tab here\\n"], "second.tsv"));
    place.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def collection():
    return factories.make_collection("dl")


def test_dropped_files_are_named_taken_in_and_followed_until_they_are_read(page, sign_in, collection):
    sign_in(page, collection.created_by)
    page.goto(reverse("imports", args=["dl"]) + "?kind=TOPICS")
    page.eval_on_selector("[data-drop-files]", DROP)
    assert page.locator("[data-chosen] li").all_inner_texts() == ["first.tsv, 1 kB", "second.tsv, 1 kB"]
    page.get_by_role("button", name="Import").click()

    page.get_by_text("first.tsv: taken in").wait_for()
    page.locator("#imports[hx-trigger]").wait_for()
    engine.run_waiting()

    page.locator("#imports:not([hx-trigger])").wait_for()
    assert page.locator("#imports .badge").all_inner_texts() == ["refused", "imported"]


def test_too_much_is_said_before_it_is_sent(page, sign_in, collection, settings):
    settings.UPLOAD_LIMIT_MB = 1
    sign_in(page, collection.created_by)
    page.goto(reverse("imports", args=["dl"]) + "?kind=TOPICS")
    page.set_input_files("#id_files", {"name": "big.tsv", "mimeType": "text/plain", "buffer": b"x" * 1_200_000})
    page.get_by_role("button", name="Import").click()

    assert "more than 1 MB" in page.locator("[data-chosen]").inner_text()
    assert not ImportedFile.objects.exists()


def test_a_collection_is_made_and_filled_without_javascript(new_page, sign_in):
    maker = factories.make_user(may_create_collections=True)
    page = new_page(java_script_enabled=False)
    sign_in(page, maker)
    page.goto(reverse("new_collection"))
    page.get_by_label("Title").fill("My topics")
    page.get_by_role("button", name="Make the collection").click()
    page.get_by_role("link", name="Import topics").click()
    page.set_input_files("#id_files", {"name": "t.tsv", "mimeType": "text/plain", "buffer": b"q1\tone\n"})
    page.get_by_role("button", name="Import").click()
    engine.run_waiting()
    page.reload()

    assert page.locator("#imports .badge").all_inner_texts() == ["imported"]
    assert Collection.objects.get().slug == "my-topics"


def test_the_short_name_follows_the_title_until_it_is_written(page, sign_in):
    sign_in(page, factories.make_user(may_create_collections=True))
    page.goto(reverse("new_collection"))
    page.get_by_label("Title").press_sequentially("Été 2019: DL")
    assert page.get_by_label("Short name").input_value() == "ete-2019-dl"

    page.get_by_label("Short name").fill("mine")
    page.get_by_label("Title").press_sequentially(" passages")
    assert page.get_by_label("Short name").input_value() == "mine"

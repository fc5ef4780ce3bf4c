"""A researcher brings query variants in, lets the built-in systems retrieve for them, and pools what they find."""

import pytest
from django.urls import reverse

from annotate.retrieval import scorers
from annotate.work import engine
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def collection():
    made = factories.make_collection("dl")
    factories.import_text(made, "TOPICS", "q1\tsmall brown bird\n")
    factories.import_text(made, "PASSAGES", "p1\tA small brown bird sings.\np2\tBirdies love seeds.\np3\tThe sky.\n")
    return made


def test_from_a_mapping_to_a_pool(page, sign_in, collection, tmp_path, monkeypatch):
    (tmp_path / "mapping.tsv").write_text("w1\tq1\tchild\t1\n")
    (tmp_path / "texts.tsv").write_text("w1\tbirdies\n")
    sign_in(page, collection.created_by)
    page.goto(reverse("imports", args=["dl"]) + "?kind=VARIANTS")
    page.get_by_label("Files", exact=True).set_input_files(tmp_path / "mapping.tsv")
    page.get_by_label("Texts", exact=True).set_input_files(tmp_path / "texts.tsv")
    page.get_by_role("button", name="Import").click()
    page.get_by_text("mapping.tsv: taken in").wait_for()
    engine.run_waiting()

    monkeypatch.setattr(scorers, "SYSTEMS", {name: scorers.SYSTEMS[name] for name in ("bm25", "tfidf")})
    page.goto(reverse("pool", args=["dl"]))
    page.get_by_label("For the 1 query variant too").check()
    page.get_by_role("button", name="Retrieve").click()
    page.get_by_text("retrieval for topics and query variants: waiting").wait_for()
    engine.run_waiting()
    page.get_by_role("link", name="Show the result").click()
    page.get_by_text("2 runs of query variants bring passages in").wait_for()

    page.get_by_role("button", name="Build").click()
    page.get_by_text("pool to depth 10: waiting").wait_for()
    engine.run_waiting()
    page.get_by_role("link", name="Show the result").click()
    page.get_by_text("2 pooled pairs").wait_for()


def test_the_files_are_fetched_from_the_exports_page(page, sign_in, collection):
    factories.import_text(collection, "VARIANTS", "w1\tq1\tchild\t1\n", name="mapping.tsv")
    sign_in(page, collection.created_by)
    page.goto(reverse("exports", args=["dl"]))
    with page.expect_download() as fetched:
        page.get_by_role("link", name="mapping.tsv").click()
    assert fetched.value.suggested_filename == "dl-mapping.tsv"
    assert fetched.value.path().read_text() == "w1\tq1\tchild\t1\n"

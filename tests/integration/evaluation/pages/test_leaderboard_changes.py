"""What is computed in the background, on the page: waiting, found, stale, failed."""

import pytest

from annotate.models import Work
from annotate.work import engine
from tests import factories, visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
BESIDE = {"rule": "reference", "other": "model:gpt", "measure": "P@1"}


@pytest.fixture
def collection():
    """Eight topics of which the reference likes d1 and the model d2."""
    made = factories.make_collection()
    queries = [f"q{number}" for number in range(8)]
    factories.import_text(made, "TOPICS", "".join(f"{query}\ttopic {query}\n" for query in queries))
    for rater, kind, best in (("nist", "REFERENCE", "d1"), ("gpt", "MODEL", "d2")):
        grades = [(q, d, int(d == (best if q != "q0" else "d3"))) for q in queries for d in ("d1", "d2", "d3")]
        factories.import_qrels(made, "".join(f"{q} 0 {d} {grade}\n" for q, d, grade in grades), rater=rater, kind=kind)
    for tag in ("d1", "d2", "d3"):
        factories.import_text(made, "RUN", "".join(f"{query} Q0 {tag} 1 1 {tag}\n" for query in queries))
    return made


def fragment(collection, **address):
    return visitors.researcher(collection).get(f"/c/{collection.slug}/leaderboard/changes/", {**BESIDE, **address})


def test_until_it_is_computed_the_page_asks_again_and_then_stops(read, collection):
    page = read(collection, "leaderboard", **BESIDE)
    assert "are being computed in the background" in page.words
    assert 'hx-trigger="every 2s"' in page.content.decode()
    assert b'hx-trigger="every 2s"' in fragment(collection).content
    engine.run_waiting()
    answer = fragment(collection)
    assert b"hx-trigger" not in answer.content
    assert b"<html" not in answer.content


def test_the_classes_of_pairs_are_told_with_those_that_changed(read, collection):
    read(collection, "leaderboard", **BESIDE)
    engine.run_waiting()
    page = read(collection, "leaderboard", **BESIDE).words
    assert "Significant pairs: 2 of 3 under reference alone , 2 under gpt alone" in page
    assert "AA both (active) same 0 0 % AD both (active) other 1 33 % MA one (mixed) same 0 0 %" in page
    assert "d1 d2 AD 0.8750 < 0.001 -0.8750 < 0.001 d1 d3 MD 0.7500 0.002 -0.1250 0.763" in page
    assert "Kendall’s tau-b -1.000 -1.000 – " in page
    assert "tau-a, a tie is no agreement -1.000 -1.000 – " in page
    assert "bootstrap over 8 topics, 1000 resamples, seed 0" in page


@pytest.mark.parametrize(
    ("sort", "first"),
    [("-class", "PD none (passive)"), ("-pairs", "MD one (mixed)"), ("correlation_low", "Kendall’s tau-b"),
     ("-correlation", "Kendall’s tau-b"), ("-first", "d2 d3 MD"), ("difference_a", "d2 d3 MD"), ("-p_b", "d1 d3 MD")],
)  # fmt: skip
def test_each_table_sorts_by_its_own_columns(read, collection, sort, first):
    read(collection, "leaderboard", **BESIDE)
    engine.run_waiting()
    page = read(collection, "leaderboard", **BESIDE, sort=sort)
    heads = (
        "Correlation Value 95 % interval ",
        "Class Significant under Order Pairs Share ",
        "Difference under gpt alone p ",
    )
    assert any(head + first in page.words for head in heads)
    assert 'aria-sort="' + ("descending" if sort.startswith("-") else "ascending") in page.content.decode()


def test_when_facts_change_it_says_so_shows_what_it_had_and_computes_again(read, collection):
    read(collection, "leaderboard", **BESIDE)
    engine.run_waiting()
    factories.import_qrels(collection, "q1 0 d7 3\n")
    page = read(collection, "leaderboard", **BESIDE)
    assert "The facts have changed since this was computed" in page.words
    assert "It is being computed again." in page.words
    assert "Significant pairs: 2 of 3" in page.words
    engine.run_waiting()
    assert "The facts have changed" not in read(collection, "leaderboard", **BESIDE).words


def test_a_computation_that_failed_can_be_taken_up_again(read, collection):
    read(collection, "leaderboard", **BESIDE)
    Work.objects.filter(kind="finding").update(state="FAILED", error="no memory")
    page = read(collection, "leaderboard", **BESIDE)
    assert "The computation failed: no memory. Take it up again" in page.words
    assert f"/work/{Work.objects.get(kind='finding').pk}/" in page.content.decode()
    assert "hx-trigger" not in page.content.decode()


def test_one_system_and_one_topic_say_why_nothing_is_tested(read):
    collection = small.with_qrels("q1 d1 3", "q1 d1 2")
    small.add_run(collection, "d1")
    read(collection, "leaderboard", **BESIDE)
    engine.run_waiting()
    page = read(collection, "leaderboard", **BESIDE).words
    assert "Kendall’s tau-b undefined 1 none 2" in page
    assert "Fewer than two to compare. An interval over topics needs two of them or more." in page
    assert "Significant pairs: 0 of 0" in page


def test_the_fragment_needs_two_rules(collection):
    assert fragment(collection, other="").status_code == 422

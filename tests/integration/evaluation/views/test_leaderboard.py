import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.models import Collection, Rater
from annotate.operations import hole_drawing
from evaluation.queries import comparisons, scores
from tests import factories, visitors
from tests.factories import NOW
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    """The reference likes d1 > d2 > d3, the model d3 > d2 > d1."""
    collection = small.with_qrels("q1 d1 3, q1 d2 2, q1 d3 1", "q1 d1 1, q1 d2 2, q1 d3 3")
    for tag in ("d1", "d2", "d3"):
        small.add_run(collection, tag)
    return collection


def test_the_figure_on_the_page_is_the_known_one(read):
    collection = small.with_qrels("q1 d1 1, q1 d9 3")
    small.add_run(collection, "d1")
    assert "1 d1 0.2754 0.100 0 %" in read(collection, "leaderboard").words
    assert "1 d1 0.1310" in read(collection, "leaderboard", measure="nDCG(gain=exp)@10").words


def test_two_rules_stand_beside_one_another_with_what_moved(read, collection):
    page = read(collection, "leaderboard", rule="reference", other="model:gpt").words
    assert "Kendall’s tau-b -1.000 Of 3 pairs of systems 3 stand the other way round under gpt alone" in page
    assert "d1 fell from place 1 to 3" in page
    assert "d3 rose from place 3 to 1" in page
    assert "1 d1 0.6300 0.100 0 % 3 ▼ 2 down 0.2100 0.100 100 %" in page
    assert "3 systems make 3 pairs: one that swaps moves tau by 0.667. So few systems make tau coarse." in page


def test_the_bump_chart_has_a_text_alternative_and_a_line_for_each_system(read, collection):
    page = read(collection, "leaderboard", rule="reference", other="model:gpt").content.decode()
    assert page.count("<path ") == 3
    assert "<title>d1: place 1, then 3</title>" in page
    assert 'role="img" aria-labelledby="bump-title bump-text"' in page
    assert "style=" not in page


def test_the_address_says_all_and_leaves_out_what_is_usual(read, collection):
    page = read(collection, "leaderboard", rule="model:gpt,reference", measure="RBP(p=0.8)").content.decode()
    assert '<option value="model:gpt,reference" selected>' in page
    assert '<option value="RBP(p=0.8)" selected>' in page
    assert '<option value="MAJORITY" selected>' in page
    assert "Does the ranking change?" not in page


def test_without_an_address_the_dropped_grades_or_the_chosen_model_stand_beside(read, collection):
    assert "Does the ranking change?" not in read(collection, "leaderboard").words
    Collection.objects.filter(pk=collection.pk).update(suggesting_rater=Rater.objects.get(name="gpt"))
    collection.refresh_from_db()
    assert "under reference, then people, then gpt" in read(collection, "leaderboard").words
    hole_drawing.draw_holes(collection=collection, fraction=1, chosen=[3], seed=1, by=None, now=NOW)
    page = read(collection, "leaderboard").words
    assert "beside original reference alone" in page
    assert "1 grades of the reference are dropped" not in page
    assert "1 grade of the reference is dropped as a synthetic hole" in page


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ({"rule": "nobody"}, "This rule cannot be used: 'nobody' is not a source; use reference, original, people"),
        ({"rule": "reference,reference"}, "This rule cannot be used: a source stands twice in the rule."),
        ({"other": "model:nobody"}, "The collection has no model rater named nobody."),
        ({"measure": "foo@10"}, "This measure cannot be used: unknown measure 'foo'"),
        (
            {"measure": "nDCG(gain=0/1)@10"},
            "cannot be used: gain 0/1 ends at grade 1, but the scale goes to 3.",
        ),
        ({"measure": "nDCG@0"}, "This measure cannot be used: nDCG@0: the cut-off is at least 1."),
        ({"consensus": "LOUDEST"}, "Select a valid choice. LOUDEST is not one of the available choices."),
        ({"rule": "a\0b"}, "Null characters are not allowed."),
        ({"rule": ""}, "This field is required."),
    ],
)
def test_an_unknown_rule_or_measure_is_answered_with_a_sentence(read, collection, address, sentence):
    page = read(collection, "leaderboard", **address)
    assert page.status_code == 422
    assert sentence in page.words


def test_without_runs_the_page_says_what_to_do(read):
    page = read(small.with_qrels("q1 d1 3"), "leaderboard", other="")
    assert page.status_code == 200
    assert "There are no runs yet" in page.words


def test_without_grades_the_page_says_what_there_is(read):
    collection = factories.make_holes(factories.make_collection())
    page = read(collection, "leaderboard").words
    assert (
        "This rule gives no grade There are 0 reference grades in force, 0 judgments of people, 0 model raters." in page
    )


def test_without_a_common_topic_the_page_says_so(read):
    collection = small.with_qrels("q1 d1 3", "q2 d1 3")
    small.add_run(collection, "d1")
    page = read(collection, "leaderboard", rule="reference", other="model:gpt").words
    assert "No topic has grades under both rules" in page


def test_one_run_has_no_tau_and_the_reason_is_said(read):
    collection = small.with_qrels("q1 d1 3", "q1 d1 2")
    small.add_run(collection, "d1")
    page = read(collection, "leaderboard", rule="reference", other="model:gpt").words
    assert "Kendall’s tau-b undefined: fewer than two to compare" in page
    assert "Nobody: every system keeps its place." in page


def test_topics_without_relevant_passages_and_topics_left_out_are_told(read):
    collection = small.with_qrels("q1 d1 0, q2 d1 3", "q1 d1 1")
    small.add_run(collection, "d1")
    page = read(collection, "leaderboard", rule="reference", other="model:gpt").words
    assert "1 topic with grades under both rules; 1 of them holds nothing relevant under reference alone , and" in page
    assert "Left out: 1 topic with grades only under reference alone , 0 only under gpt alone ." in page


def test_names_from_outside_are_escaped(read):
    collection = small.with_qrels("q1 d1 3")
    small.add_run(collection, "d1", group="<script>alert(1)</script>")
    factories.import_qrels(collection, small.lines("q1 d1 2"), rater="<b>m</b>", kind="MODEL")
    page = read(collection, "leaderboard", rule="reference", other="model:<b>m</b>").content.decode()
    assert "<script>alert" not in page
    assert "<b>m</b>" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_the_number_of_statements_does_not_grow_with_the_runs(collection):
    visitor = visitors.researcher(collection)
    before = statements(visitor, collection)
    for place in range(4, 9):
        small.add_run(collection, f"d{place}")
    assert statements(visitor, collection) == before
    assert before <= 32


def statements(visitor, collection):
    scores._leaderboard.cache_clear()
    comparisons._compare.cache_clear()
    with CaptureQueriesContext(connection) as found:
        visitor.get(f"/c/{collection.slug}/leaderboard/", {"rule": "reference,people", "other": "model:gpt"})
    return len(found)

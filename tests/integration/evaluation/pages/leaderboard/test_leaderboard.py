import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.models import Collection, Rater, Suggestion
from annotate.pool.operations import pooling
from evaluation.findings.leaderboard import comparisons, scores
from evaluation.inputs import facts
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
    assert "1 d1 ends early on 1 topic 0.2754 none 1 0.100 0 %" in read(collection, "leaderboard").words
    assert "1 d1 ends early on 1 topic 0.1310" in read(collection, "leaderboard", measure="nDCG(gain=exp)@10").words


def test_a_cell_without_a_number_has_its_reason_under_the_table(read):
    collection = small.with_qrels("q1 d1 1")
    small.add_run(collection, "d2")
    page = read(collection, "leaderboard")
    assert "none 1 0.000 none 2" in page.words
    assert "An interval over topics needs two of them or more. It gains nothing." in page.words
    assert "title=" not in page.content.decode().partition("<tbody>")[2]


def test_two_rules_stand_beside_one_another_with_what_moved(read, collection):
    page = read(collection, "leaderboard", rule="reference", other="model:gpt").words
    assert "Kendall’s tau-b -1.000 Of 3 pairs of systems 3 stand the other way round under gpt alone" in page
    assert "d1 fell from place 1 to 3" in page
    assert "d3 rose from place 3 to 1" in page
    assert "1 d1 ends early on 1 topic 0.6300 none 1 0.100 0 % 3 ▼ 2 down 0.2100 none 1 0.100 100 %" in page
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


def test_without_an_address_the_chosen_model_fills_holes_beside_no_model_or_the_dropped_grades(read, collection):
    assert "Does the ranking change?" not in read(collection, "leaderboard").words
    Collection.objects.filter(pk=collection.pk).update(suggesting_rater=Rater.objects.get(name="gpt"))
    collection.refresh_from_db()
    page = read(collection, "leaderboard")
    assert '<option value="reference,adjudicated,people,model:gpt" selected>' in page.content.decode()
    assert "beside reference, then adjudicated, then people" in page.words
    pooling.draw_holes(collection=collection, fraction=1, chosen=[3], seed=1, by=None, now=NOW)
    page = read(collection, "leaderboard").words
    assert "beside original reference alone" in page
    assert "1 grades of the reference are dropped" not in page
    assert "1 grade of the reference is dropped as a synthetic hole" in page


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        (
            {"rule": "nobody"},
            "This rule cannot be used: 'nobody' is not a source; use reference, original, adjudicated, people",
        ),
        ({"rule": "reference,reference"}, "This rule cannot be used: a source stands twice in the rule."),
        ({"other": "model:nobody"}, "The collection has no model rater named nobody."),
        ({"measure": "foo@10"}, "This measure cannot be used: unknown measure 'foo'"),
        ({"measure": "nDCG(gain=0/1)@10"}, "cannot be used: gain 0/1 ends at grade 1, but the scale goes to 3."),
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
    assert "This rule gives no grade There are 0 reference grades in force, 0 judgments of people, 0 grades" in page


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
    statements(visitor, collection)  # the first visit queues what is computed in the background
    before = statements(visitor, collection)
    for place in range(4, 9):
        small.add_run(collection, f"d{place}")
    assert statements(visitor, collection) == before
    assert before <= 36


def forget():
    for known in (scores._leaderboard, comparisons._compare, facts._complete_qrels):
        known.cache_clear()


def statements(visitor, collection):
    forget()
    with CaptureQueriesContext(connection) as found:
        visitor.get(f"/c/{collection.slug}/leaderboard/", {"rule": "reference,people", "other": "model:gpt"})
    return len(found)


def order(page):
    """The run tags in the order of the table."""
    return re.findall(r'<th scope="row"><a [^>]*>([^<]+)</a>', page.content.decode())


def test_the_table_sorts_by_the_address_and_its_heads_say_how(read, collection):
    page = read(collection, "leaderboard", rule="reference", other="", sort="mean")
    assert order(page) == ["d3", "d2", "d1"]
    assert 'aria-sort="ascending"><a class="sorting" href="?rule=reference' in page.content.decode()
    assert order(read(collection, "leaderboard", rule="reference", other="", sort="-mean")) == ["d1", "d2", "d3"]
    assert order(read(collection, "leaderboard", rule="reference", other="model:gpt", sort="-moved"))[0] == "d3"


def test_sorting_alone_leaves_the_usual_rules_beside_one_another(read, collection):
    pooling.draw_holes(collection=collection, fraction=1, chosen=[3], seed=1, by=None, now=NOW)
    assert "beside original reference alone" in read(collection, "leaderboard", sort="system").words


def test_only_systems_of_that_name_or_group_are_shown_with_their_places_among_all(read, collection):
    small.add_run(collection, "d4", group="dense ones")
    page = read(collection, "leaderboard", rule="reference", other="", find="DENSE")
    assert order(page) == ["d4"]
    assert "1 of 4 systems shown, places are among all" in page.words
    assert "4 d4 ends early on 1 topic dense ones" in page.words
    assert "No system or group is named so." in read(collection, "leaderboard", find="nothing").words


def test_the_gain_and_the_treatment_of_holes_are_chosen_apart_from_the_measure(read):
    collection = small.with_qrels("q1 d1 1, q1 d9 3")
    small.add_run(collection, "d0>d1")
    assert "1 d0>d1 ends early on 1 topic 0.1738" in read(collection, "leaderboard").words
    assert "nDCG(gain=exp)@10 over" in read(collection, "leaderboard", gain="exp").words
    assert "nDCG(gain=0/1/5/10)@10 over" in read(collection, "leaderboard", gain="0/1/5/10").words
    page = read(collection, "leaderboard", unjudged="condensed").words
    assert "nDCG(unjudged=condensed)@10 over" in page
    assert "1 d0>d1 ends early on 1 topic 0.2754" in page


def test_each_grade_has_its_own_gain_and_the_ranking_its_own_cut_off(read, collection):
    page = read(collection, "leaderboard", rule="reference", other="", gain="0=0,1=1,2=3,3=7", k="2")
    assert "nDCG(gain=0/1/3/7)@2 over" in page.words
    assert 'value="0=0,1=1,2=3,3=7"' in page.content.decode()
    assert "k=2&amp;gain=0%3D0%2C1%3D1%2C2%3D3%2C3%3D7" in page.content.decode()
    assert "P(rel=2)@3 over" in read(collection, "leaderboard", measure="P(rel=2)@10", k="3").words


@pytest.mark.parametrize(
    "address", [{"k": "0"}, {"gain": "1/0"}, {"measure": "foo"}, {"unjudged": "hidden"}, {"models": "x"}]
)
def test_what_is_wrong_is_said_at_its_own_field(read, collection, address):
    page = read(collection, "leaderboard", **address).content.decode()
    (name,) = address
    assert re.findall(r'class="field-errors" id="id_(\w+)_error"', page) == [name]


def test_grades_of_models_count_by_their_probabilities_when_that_is_chosen(read):
    collection = small.with_qrels("q1 d1 1", "q1 d2 1")
    small.add_run(collection, "d2")
    address = {"rule": "reference,model:gpt", "other": "", "measure": "DCG(gain=exp)@1"}
    assert (
        "No model’s grade that counts here has probabilities"
        in read(collection, "leaderboard", **address, models="chances").words
    )
    Suggestion.objects.update(probabilities=[0.5, 0.0, 0.0, 0.5])
    forget()
    assert "1 d2 1.0000" in read(collection, "leaderboard", **address).words
    page = read(collection, "leaderboard", **address, models="chances")
    assert "1 d2 3.5000" in page.words
    assert "where the model gave them: 1 pair under reference, then gpt ." in page.words
    assert "models=chances" in page.content.decode()


def test_what_holes_leave_open_is_a_bound_or_is_said_to_be_none(read):
    collection = small.with_qrels("q1 d1 3, q1 d2 0")
    small.add_run(collection, "d1>d9")
    page = read(collection, "leaderboard", measure="P@2", unjudged="range").words
    assert "1 d1>d9 0.5000 none 1 0.5000 1.0000 " in page
    assert "bounds, between which the value lies" in page
    assert "They are a sensitivity range and no bounds" in read(collection, "leaderboard", unjudged="range").words
    page = read(collection, "leaderboard", measure="Judged@10", unjudged="range").words
    assert "Judged@10 looks at no hole" in page
    assert "Holes lowest" not in page


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ({"measure": "AP", "gain": "exp"}, "AP has no gain to choose: leave it empty."),
        ({"gain": "1/0"}, "must be a list of gains from 0 up that never fall"),
        (
            {"gain": "0=0,2=1"},
            "This gain cannot be used: 0=0,2=1 must give each grade its gain, in order and from 0 on",
        ),
        ({"gain": "0=0,1=1"}, "This gain cannot be used: gain 0/1 ends at grade 1, but the scale goes to 3."),
        ({"k": "0"}, "The cut-off is a whole number from 1 to 1,000,000."),
        ({"k": "many"}, "The cut-off is a whole number from 1 to 1,000,000."),
        ({"measure": "bpref", "k": "5"}, "bpref takes no cut-off: leave it empty."),
        ({"measure": "bpref", "models": "chances"}, "bpref counts judged passages and has no gains to expect"),
        ({"measure": "P(rel=4)@5"}, "P(rel=4)@5 calls a passage relevant from grade 4, but the scale goes to 3."),
        (
            {"measure": "Judged@10", "unjudged": "condensed"},
            "Judged@10 says itself what it does with unjudged passages.",
        ),
        ({"unjudged": "hidden"}, "Select a valid choice. hidden is not one of the available choices."),
        ({"sort": "colour"}, "Select a valid choice. colour is not one of the available choices."),
    ],
)
def test_a_choice_that_does_not_go_together_is_answered_with_a_sentence(read, collection, address, sentence):
    page = read(collection, "leaderboard", **address)
    assert page.status_code == 422
    assert sentence in page.words


def test_the_link_to_a_view_says_all_of_it(read, collection):
    page = read(collection, "leaderboard", gain="exp", sort="-judged").content.decode()
    link = unescape(re.search(r'href="(\?[^"]*)">Link to this view', page)[1])
    again = visitors.researcher(collection).get(f"/c/{collection.slug}/leaderboard/{link}").content.decode()
    assert unescape(re.search(r'href="(\?[^"]*)">Link to this view', again)[1]) == link
    for part in (
        "rule=reference%2Cadjudicated%2Cpeople",
        "measure=nDCG%4010",
        "gain=exp",
        "consensus=MAJORITY",
        "sort=-judged",
    ):
        assert part in link


def test_a_judge_of_a_systems_own_family_is_warned_of(collection):
    visitor = visitors.researcher(collection)
    address = reverse("leaderboard", args=[collection.slug])
    asked = {"rule": "reference,model:gpt"}
    assert "Circularity" not in visitors.words(visitor.get(address, asked))
    run = collection.runs.first()
    collection.runs.filter(pk=run.pk).update(model_family="<b>GPT</b>, gpt")
    page = visitor.get(address, asked)
    assert f"Circularity: gpt is of the model family of 1 of the systems ({run.tag})" in visitors.words(page)
    assert "Circularity" not in visitors.words(visitor.get(address))

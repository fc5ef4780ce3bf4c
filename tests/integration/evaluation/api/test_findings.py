"""Scores and agreement through the API: known answers, and who may ask."""

import math

import pytest
from django.test import Client

from annotate.models import Membership
from evaluation.engine import scoring
from evaluation.findings.agreement import agreement
from tests import factories

PATHS = ["scores/", "agreement/", "comparison/"]


@pytest.mark.parametrize("path", PATHS)
def test_only_researchers_of_the_collection_get_findings(researcher, assessor, stranger, path):
    assert assessor.get(path).status_code == 403
    assert stranger.get(path).status_code == 404
    assert Client().get(researcher.base + path).status_code == 401
    assert researcher.post(path).status_code == 405


def test_scores_are_those_of_the_completed_qrels(researcher):
    told = researcher.get("scores/", rule="reference,people", measures="nDCG@10,nDCG(rel=2)@10").json()
    assert (told["rule"], told["topics"], told["graded"], told["graded_by_models"]) == (
        "reference,people",
        ["q1", "q2"],
        4,
        0,
    )
    (system,) = told["systems"]
    first = (3 + 1 / math.log2(4)) / (3 + 1 / math.log2(3))
    assert (system["run_tag"], system["place"]) == ("first", 1)
    assert system["measures"]["nDCG@10"]["mean"] == pytest.approx(first / 2)
    assert system["measures"]["nDCG@10"]["topics_without_relevant"] == 1
    assert system["measures"]["nDCG(rel=2)@10"]["mean"] == pytest.approx(1 / 2)
    assert "by_topic" not in system["measures"]["nDCG@10"]


def test_without_a_rule_the_usual_one_takes_the_model_that_suggests_last(researcher):
    told = researcher.get("scores/").json()
    assert (told["rule"], told["graded_by_models"]) == ("reference,adjudicated,people,model:model-a", 2)


def test_scores_by_topic_come_when_they_are_asked_for(researcher):
    (system,) = researcher.get("scores/", rule="reference", per_topic="true").json()["systems"]
    assert system["measures"]["Judged@10"]["by_topic"] == {"q1": pytest.approx(0.3), "q2": pytest.approx(0.1)}


def test_a_model_in_the_rule_fills_holes_and_its_share_is_told(researcher):
    told = researcher.get("scores/", rule="reference,model:model-a").json()
    assert (told["graded"], told["graded_by_models"]) == (6, 2)
    assert told["systems"][0]["model_share"] == pytest.approx(2 / 6)


def test_a_share_without_anything_judged_is_null_with_its_reason(researcher):
    told = researcher.get("scores/", rule="people", measures="nDCG@10").json()
    (system,) = told["systems"]
    assert (told["topics"], system["model_share"], system["place"]) == ([], None, None)
    assert system["reason"]["model_share"] == "nothing in its first 10 ranks is judged"
    assert system["measures"]["nDCG@10"]["reason"]["mean"] == scoring.NO_TOPIC


@pytest.mark.parametrize(
    ("asked", "place", "beginning"),
    [
        ({"measures": "Fame@10"}, "measures", "unknown measure 'Fame'"),
        ({"measures": ",".join(f"P@{k}" for k in range(1, 22))}, "measures", "at most 20 measures at a time, not 21"),
        ({"rule": "nobody"}, "rule", "'nobody' is not a source"),
        ({"rule": "model:nobody"}, "rule", "The collection has no model rater named 'nobody'."),
    ],
)
def test_what_cannot_be_scored_is_refused_in_words(researcher, asked, place, beginning):
    answer = researcher.get("scores/", **asked)
    assert answer.status_code == 400
    (fault,) = answer.json()["faults"]
    assert fault["place"] == place
    assert fault["reason"].startswith(beginning)


def test_agreement_has_known_answers_and_says_what_it_counts(researcher, collection):
    factories.import_qrels(collection, "q1 0 d1.1 2\nq1 0 d1.2 0\nq2 0 d2.1 1\nq2 0 d2.2 7\n", "other", "MODEL")
    told = researcher.get("agreement/", first="reference", second="other").json()
    assert (told["n"], told["only_first"], told["only_second"]) == (3, 1, 0)
    assert told["first"] == {"rater": "nist", "counted": 4, "left_out": []}
    assert told["second"]["left_out"] == [{"number": 1, "what": agreement.WITHOUT_GRADE}]
    assert told["confusion"] == [[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]]
    assert told["kappa"]["binary"] == pytest.approx(1.0)
    assert told["kappa"]["unweighted"] == pytest.approx((1 / 3 - 2 / 9) / (1 - 2 / 9))
    assert told["kappa_from"] == pytest.approx({"1": 0.4, "2": 1.0, "3": 0.0})
    assert told["ac1"] == pytest.approx(1 / 7)
    assert told["gamma"] == pytest.approx(1.0)
    assert (told["parts"], told["among_people"]) == ([], None)


def test_an_undefined_figure_is_null_beside_its_reason(researcher):
    told = researcher.get("agreement/", first="reference", second="people").json()
    assert (told["n"], told["kappa"]["unweighted"], told["tau_b"]) == (0, None, None)
    assert (told["kappa_from"]["3"], told["ac1"]) == (None, None)
    assert told["kappa_from"]["reason"]["3"] == told["reason"]["ac1"] == "no pair was graded by both"
    assert told["kappa"]["reason"]["unweighted"] and told["reason"]["tau_b"]


def test_beside_a_model_people_count_where_they_judged_blind(researcher, assessor, collection):
    assert factories.judge(Membership.objects.get(collection=collection, role="ASSESSOR"), 1).arm == "HIDDEN"
    told = researcher.get("agreement/", first="people", second="model-a").json()
    assert (told["first"]["rater"], told["n"]) == ("people:blind", 1)
    parts = {part["part"]: part["figures"]["n"] for part in told["parts"]}
    assert parts == {"suggestion hidden": 1, "before the reveal": 0, "suggestion in view": 0, "after the reveal": 0}
    assert told["among_people"]["n"] == 0
    assert told["among_people"]["alpha"]["reason"]["ordinal"]
    assert [part["among_people"]["n"] for part in told["parts"]] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("first", "second", "beginning"),
    [
        ("", "nist", "There is no rater '' in this collection; there are nist, "),
        ("nist", "reference", "Choose two different raters."),
    ],
)
def test_raters_that_cannot_be_compared_are_refused_in_words(researcher, first, second, beginning):
    answer = researcher.get("agreement/", first=first, second=second)
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith(beginning)

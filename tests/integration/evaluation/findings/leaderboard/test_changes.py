import json

import numpy as np
import pytest

from annotate.rules import completion
from evaluation.findings.leaderboard import comparisons
from evaluation.findings.leaderboard.comparisons import ChangesQuestion
from tests import factories
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
TOPICS = 8
QUESTION = ChangesQuestion.between(completion.parse_rule("reference"), completion.parse_rule("model:gpt"), "P@1")


@pytest.fixture
def collection():
    """Under the reference only d1 is good, of every topic but one; the model turns d1 and d2 round."""
    made = factories.make_collection()
    queries = [f"q{number}" for number in range(TOPICS)]
    factories.import_text(made, "TOPICS", "".join(f"{query}\ttopic {query}\n" for query in queries))
    for rater, kind, best in (("nist", "REFERENCE", "d1"), ("gpt", "MODEL", "d2")):
        grades = [
            (q, d, int(d == best and q != "q0" or (q == "q0" and d == "d3")))
            for q in queries
            for d in ("d1", "d2", "d3")
        ]
        factories.import_qrels(made, "".join(f"{q} 0 {d} {grade}\n" for q, d, grade in grades), rater=rater, kind=kind)
    for tag in ("d1", "d2", "d3"):
        factories.import_text(made, "RUN", "".join(f"{query} Q0 {tag} 1 1 {tag}\n" for query in queries))
    return made


def test_significant_pairs_are_counted_by_what_becomes_of_them(collection):
    found = QUESTION.compute(collection)
    assert (found["pairs"], found["significant_a"], found["significant_b"]) == (3, 2, 2)
    assert found["classes"] == {"AA": 0, "AD": 1, "MA": 0, "MD": 2, "PA": 0, "PD": 0}
    assert [(pair["first"], pair["second"], pair["class"]) for pair in found["changed"]] == [
        ("d1", "d2", "AD"),
        ("d1", "d3", "MD"),
        ("d2", "d3", "MD"),
    ]
    assert found["changed"][0]["difference_a"] == pytest.approx(7 / 8)
    assert found["changed"][0]["p_a"] < 0.001


def test_intervals_say_what_they_are_of(collection):
    found = QUESTION.compute(collection)["correlations"]
    assert list(found) == ["tau_b", "tau_ap", "tau_a", "gamma", "spearman"]
    assert found["tau_b"] | {"low": 0, "high": 0, "left_out": 0, "value": 0} == {
        "low": 0, "high": 0, "level": 0.95, "over": "topics", "n": TOPICS, "resamples": 1000, "left_out": 0, "seed": 0,
        "value": 0, "value_reason": "", "method": "delete-d jackknife",
    }  # fmt: skip
    assert -1.0 <= found["tau_b"]["low"] <= found["tau_b"]["value"] <= found["tau_b"]["high"] <= 1.0


def test_what_is_found_can_be_stored_as_json(collection):
    found = QUESTION.compute(collection)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize(
    ("first", "second", "tags"),
    [("q1 d1 3", "q2 d1 3", ("d1", "d2")), ("q1 d1 3", "q1 d1 2", ("d1",)), ("q1 d1 3", "q1 d1 2", ()),
     ("q1 d1 3", "q1 d1 2", ("d1", "d2")), ("q1 d1 0, q2 d1 0", "q1 d1 0, q2 d1 0", ("d1", "d2"))],
    ids=["no common topic", "one system", "no system", "one topic", "nothing relevant"],
)  # fmt: skip
def test_what_cannot_be_tested_is_undefined_with_its_reason_and_never_nan(first, second, tags):
    collection = small.with_qrels(first, second)
    for tag in tags:
        small.add_run(collection, tag)
    found = QUESTION.compute(collection)
    json.dumps(found, allow_nan=False)
    assert found["significant_a"] == found["significant_b"] == 0
    tau_b = found["correlations"]["tau_b"]
    assert tau_b["low"] is None and tau_b["reason"]
    assert (tau_b["value"] is None) == bool(tau_b["value_reason"])
    assert bool(found["reason"]) == (found["pairs"] > 0)


def test_the_matrix_has_a_row_for_each_system_in_the_order_asked_for(collection):
    board = comparisons.compare_rules(
        collection, completion.parse_rule("reference"), completion.parse_rule("model:gpt"), "P@1"
    ).reference
    matrix = comparisons.make_score_matrix(board, ["d3", "d1"])
    assert np.array_equal(matrix, [[1] + [0] * 7, [0] + [1] * 7])


def test_a_question_is_told_apart_by_all_that_changes_its_answer():
    a, b = completion.parse_rule("reference"), completion.parse_rule("model:gpt")
    asked = {
        ChangesQuestion.between(a, b, "P@1").key,
        ChangesQuestion.between(b, a, "P@1").key,
        ChangesQuestion.between(a, b, "P@5").key,
        ChangesQuestion.between(a, b, "P@1", with_probabilities=True).key,
        ChangesQuestion.between(
            completion.parse_rule("reference", "MEDIAN"), completion.parse_rule("model:gpt", "MEDIAN"), "P@1"
        ).key,
    }
    assert len(asked) == 5
    assert ChangesQuestion.between(a, b, "P@1").models == ("gpt",)

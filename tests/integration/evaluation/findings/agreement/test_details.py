import json

import pytest

from evaluation.findings.agreement import agreement, details
from evaluation.inputs import raters
from tests import factories
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
TWO = ("nist", "gpt")


def compute(collection, names):
    sides = agreement.make_sides(*(raters.find_rater(collection, name) for name in names))
    return details.DetailsQuestion.of_sides(sides).compute(collection)


@pytest.fixture
def collection():
    """Two topics of four pairs each; the model gives long passages a grade too much."""
    grades = [(query, f"{query}{size}", size) for query in ("q1", "q2") for size in (0, 1, 2, 3)]
    made = small.with_qrels(
        ",".join(f"{query} {passage} {min(size, 2)}" for query, passage, size in grades),
        ",".join(f"{query} {passage} {size}" for query, passage, size in grades),
    )
    texts = "".join(f"{passage}\t{'word ' * (10**size)}{'first' if size else ''}\n" for _, passage, size in grades)
    factories.import_text(made, "PASSAGES", texts)
    return made


def test_intervals_come_over_topics_and_over_pairs(collection):
    found = compute(collection, TWO)["intervals"]
    assert (found["topics"]["alpha"]["ordinal"]["n"], found["pairs"]["alpha"]["ordinal"]["n"]) == (2, 8)
    # Both topics are alike, so other topics would change nothing; other pairs would.
    topics, pairs = found["topics"]["kappa"]["unweighted"], found["pairs"]["kappa"]["unweighted"]
    assert topics["low"] == pytest.approx(topics["high"])
    assert pairs["low"] < topics["low"] < pairs["high"]


@pytest.mark.postgresql
def test_a_judge_who_likes_long_passages_shows_by_their_length(collection):
    rows = compute(collection, TWO)["length"]
    figures = [row["figures"] for row in rows]
    assert [(row["n"], row["difference"]) for row in figures] == [(2, 0.0), (2, 0.0), (2, 0.0), (2, 1.0)]
    assert rows[0]["key"] == "1"
    assert figures[3]["alpha"] is None or figures[3]["alpha"] <= 0


def test_the_words_of_the_query_are_looked_for_in_the_passage(collection):
    assert [row["key"] for row in compute(collection, TWO)["overlap"]] == ["0", "50"]


def test_pairs_without_a_text_are_counted():
    collection = small.with_qrels("q1 a 0, q1 b 1", "q1 a 0, q1 b 1")
    found = compute(collection, TWO)
    assert (found["length"], found["overlap"], found["without_text"]) == ([], [], 2)


def test_what_people_saw_has_intervals_apart():
    collection = factories.make_holes(factories.make_collection())
    factories.make_suggestions(collection, grade=1)
    assessor = factories.make_assessor(collection)
    for grade in (0, 1, 2, 3, 1, 1):
        factories.judge(assessor, grade)
    parts = compute(collection, ("people", "model-a"))["parts"]
    assert set(parts) == {"HIDDEN", "BEFORE", "SHOWN", "AFTER"}
    assert parts["HIDDEN"]["share_equal"]["n"] == 2
    assert parts["SHOWN"]["share_equal"]["reason"]


@pytest.mark.parametrize("second", ["q2 a 0", "q1 a 0"], ids=["no common pair", "one pair"])
def test_what_is_undefined_has_its_reason_and_can_be_stored(second):
    found = compute(small.with_qrels("q1 a 0", second), TWO)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["intervals"]["topics"]["alpha"]["ordinal"]["reason"]


def test_people_among_themselves_have_intervals_and_groups_of_their_own():
    collection = factories.make_holes(factories.make_collection(target=2))
    factories.make_suggestions(collection, grade=1)
    factories.build_pool(collection)
    for grades in ((0, 1, 2, 0, 1, 2), (0, 1, 3, 0, 1, 3)):
        assessor = factories.make_assessor(collection)
        for grade in grades:
            factories.judge(assessor, grade)
    found = compute(collection, ("people", "model-a"))
    among = found["among"]
    assert (among["topics"]["kappa"]["unweighted"]["n"], among["pairs"]["alpha"]["ordinal"]["n"]) == (2, 6)
    assert found["parts"]["HIDDEN"]["among"]["share_equal"]["low"] == pytest.approx(2 / 3)
    assert sum(row["among"]["n"] for row in found["length"]) == 6
    assert compute(collection, ("assessor-1", "assessor-2"))["among"] == {"topics": None, "pairs": None}

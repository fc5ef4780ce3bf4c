import pytest

from annotate.pool.operations import pooling
from annotate.rules import completion
from evaluation.engine import ranking_shift
from evaluation.findings.leaderboard import comparisons
from tests import factories
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
REFERENCE, MODEL = completion.parse_rule("reference"), completion.parse_rule("model:gpt")


def compare(collection, measure="nDCG@10"):
    return comparisons.compare_rules(collection, REFERENCE, MODEL, measure)


@pytest.fixture
def collection():
    """The reference likes d1 > d2 > d3, the model d3 > d2 > d1."""
    collection = small.with_qrels("q1 d1 3, q1 d2 2, q1 d3 1", "q1 d1 1, q1 d2 2, q1 d3 3")
    for tag in ("d1", "d2", "d3"):
        small.add_run(collection, tag)
    return collection


def test_a_model_that_turns_the_grades_round_turns_the_ranking_round(collection):
    found = compare(collection)
    assert found.shift.tau_b.value == found.shift.tau_a.value == found.shift.tau_ap.value == -1.0
    assert (found.pairs, found.swapped) == (3, 3)
    assert [(s.run_tag, s.reference_place, s.other_place) for s in found.movers] == [("d1", 1, 3), ("d3", 3, 1)]
    assert [system.places_up for system in found.movers] == [-2, 2]
    assert [(s.run_tag, s.place) for s in found.other.systems] == [("d3", 1), ("d2", 2), ("d1", 3)]


def test_few_systems_make_tau_coarse(collection):
    found = compare(collection)
    assert found.is_coarse
    assert found.step == pytest.approx(2 / 3)


def test_both_rankings_are_over_the_topics_that_both_qrels_have():
    collection = small.with_qrels("q1 d1 3, q2 d1 0", "q1 d1 3, q1 d2 0")
    small.add_run(collection, "d1>d2")
    small.add_run(collection, "d2>d1")
    found = compare(collection)
    assert found.reference.topics == found.other.topics == found.shift.topics == ("q1",)
    assert (found.only_reference, found.only_other) == (("q2",), ())
    assert found.reference.systems[0].by_measure["nDCG@10"].mean.value == 1.0
    assert found.movers == []


def test_beside_the_original_a_draw_leaves_no_topic_out():
    collection = small.with_qrels("q1 d1 3, q2 d1 2")
    small.add_run(collection, "d1")
    pooling.draw_holes(collection=collection, fraction=1, chosen=[2], seed=1, by=None, now=factories.NOW)
    found = comparisons.compare_rules(collection, REFERENCE, completion.parse_rule("original"), "nDCG@10")
    assert found.reference.topics == found.other.topics == found.shift.topics == ("q1", "q2")
    assert (found.only_reference, found.only_other) == ((), ())
    (system,) = found.shift.systems
    assert (system.reference_mean, system.other_mean) == (0.5, 1.0)


def test_no_topic_in_common_is_undefined_and_says_so():
    collection = small.with_qrels("q1 d1 3", "q2 d1 3")
    small.add_run(collection, "d1")
    found = compare(collection)
    assert found.shift.tau_b.reason == ranking_shift.NO_COMMON_TOPIC
    assert (found.reference.topics, found.pairs, found.is_coarse) == ((), 0, False)


def test_one_system_cannot_move():
    collection = small.with_qrels("q1 d1 3", "q1 d1 3")
    small.add_run(collection, "d1")
    found = compare(collection)
    assert found.shift.tau_b.reason == "fewer than two to compare"
    assert (found.movers, found.is_coarse) == ([], False)

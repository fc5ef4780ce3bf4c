"""Completed qrels whose holes a model fills with probabilities: expected gains, never gains of expected grades."""

import math

import pytest

from annotate.models import Rater, Suggestion
from annotate.rules import completion
from evaluation.findings.leaderboard import comparisons, scores
from evaluation.inputs import facts
from tests import factories
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
RULE = completion.parse_rule("reference,model:gpt")


@pytest.fixture
def collection():
    """The reference knows d1; of d2 and d3 the model gave grade 1 each, of d2 with probabilities."""
    made = small.with_qrels("q1 d1 1", "q1 d2 1, q1 d3 1, q1 d1 0")
    for tag in ("d1", "d2>d3"):
        small.add_run(made, tag)
    told = Suggestion.objects.filter(rater=Rater.objects.get(name="gpt"))
    told.filter(pair__passage_id__in=["d1", "d2"]).update(probabilities=[0.5, 0.0, 0.0, 0.5])
    return made


def test_only_grades_that_count_and_have_probabilities_become_chances(collection):
    found = facts.complete_qrels(collection, RULE, with_probabilities=True)
    assert found.probabilities == {"q1": {"d2": [0.5, 0.0, 0.0, 0.5]}}
    assert found.qrels == {"q1": {"d1": 1, "d3": 1}}
    assert (found.graded, found.by_chances, len(found.from_models), found.topics) == (3, 1, 2, {"q1"})


def test_without_being_asked_for_they_are_grades_as_ever(collection):
    found = facts.complete_qrels(collection, RULE)
    assert (found.probabilities, found.qrels["q1"]) == ({}, {"d1": 1, "d2": 1, "d3": 1})


def test_a_scale_that_starts_above_0_has_no_chance_of_the_grades_below():
    made = small.with_qrels("q1 d1 1", "q1 d2 1", scale="1-3")
    Suggestion.objects.update(probabilities=[0.5, 0.25, 0.25])
    found = facts.complete_qrels(made, RULE, with_probabilities=True)
    assert found.probabilities == {"q1": {"d2": [0.0, 0.5, 0.25, 0.25]}}


@pytest.mark.parametrize(("measure", "value"), [("DCG(gain=exp)@10", 3.5 + 1 / math.log2(3)), ("P(rel=2)@1", 0.5)])
def test_gains_are_expected_gains(collection, measure, value):
    board = scores.compute_leaderboard(collection, RULE, [measure], with_probabilities=True)
    (system,) = (system for system in board.systems if system.run_tag == "d2>d3")
    assert system.by_measure[measure].mean.number == pytest.approx(value)
    assert board.by_chances == 1


def test_the_share_of_models_counts_expected_gains(collection):
    factories.import_qrels(collection, "q1 0 d3 1\n")
    board = scores.compute_leaderboard(collection, RULE, ["DCG@10"], with_probabilities=True)
    shares = {system.run_tag: system.model_gains.number for system in board.systems}
    assert shares == pytest.approx({"d1": 0.0, "d2>d3": 1.5 / 2.5})


def test_a_comparison_ranks_by_expected_gains_on_both_sides(collection):
    rules = completion.parse_rule("model:gpt"), completion.parse_rule("reference")
    found = comparisons.compare_rules(collection, *rules, "DCG@10", with_probabilities=True)
    means = {system.run_tag: (system.reference_mean, system.other_mean) for system in found.shift.systems}
    assert means["d1"] == pytest.approx((1.5, 1.0))
    assert means["d2>d3"] == pytest.approx((1.5 + 1 / math.log2(3), 0.0))

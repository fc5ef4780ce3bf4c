"""The estimate from a random sample of pairs, worked out by hand and by its laws."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import mixed_intervals
from evaluation.measures.definition import CannotMeasure
from evaluation.studies.kinds.mixed import designs
from tests.unit.evaluation.studies.kinds.mixed import made

SECOND = 1 / math.log2(3)  # the discount at rank 2
CONSTANT = 3 * (1 + SECOND)


def estimate(inputs, people, model=(1.0, 2.0, 1.0)):
    frame = designs.frame_of(inputs, "linear")
    sample = designs.sample_of(frame, np.array([0, 1]), 1)
    return designs.estimate(frame, sample, np.array(model), np.array(people))


def test_weights_are_discounts_over_the_constant_and_the_reference_adds_what_is_certain():
    frame = designs.frame_of(made.small(), "linear")
    assert frame.constant == pytest.approx(CONSTANT)
    assert frame.weights == pytest.approx(np.array([[1, 0, 0], [0, 1, SECOND]]) / CONSTANT)
    assert frame.certain == pytest.approx([3 * SECOND / CONSTANT, 0])
    assert frame.sizes.tolist() == [3]


def test_the_estimate_is_the_models_value_and_raised_corrections():
    found = estimate(made.small(), [3.0, 1.0])
    # first: 1 + 3/2 * (3 - 1) at rank 1 and the reference's 3 at rank 2; second: 2 + 1 SECOND + 3/2 * (1 - 2)
    assert found.values * CONSTANT == pytest.approx([4 + 3 * SECOND, 0.5 + SECOND])


def test_the_covariance_is_that_of_stratified_sampling():
    found = estimate(made.small(), [3.0, 1.0])
    # corrections (2, 0) and (0, -1): variances 2 and 1/2, covariance 1; times 9 (1 - 2/3) / 2 = 3/2
    assert found.covariance * CONSTANT**2 == pytest.approx(np.array([[3, 1.5], [1.5, 0.75]]))
    assert found.spread * CONSTANT**2 == pytest.approx(np.array([[18], [4.5]]))


def test_a_gain_of_nothing_is_refused():
    with pytest.raises(CannotMeasure, match="no grade is worth anything"):
        designs.frame_of(made.small(), "0/0/0/0")


@given(st.lists(st.integers(0, 3), min_size=10, max_size=10))
def test_over_all_samples_the_estimate_is_the_truth_and_the_variance_its_own_mean(grades):
    """Exactly unbiased, whatever the model says: all samples of 2 of 5 pairs of one topic, of which 3 are retrieved."""
    truth, model = (np.array(part, dtype=float) for part in (grades[:5], grades[5:]))
    weights = np.array([[1.0, 0.6, 0.5, 0, 0]])
    frame = designs.Frame(weights, np.array([0.25]), np.zeros(5, dtype=np.intp), 3.0, 1.0)
    found = []
    for places in itertools.combinations(range(5), 2):
        sample = designs.sample_of(frame, np.array(places), 1)
        found.append(designs.estimate(frame, sample, model, truth[sample.places]))
    values = np.array([one.values[0] for one in found])
    assert values.mean() == pytest.approx((weights[0] * truth).sum() + 0.25)
    assert np.mean([one.covariance[0, 0] for one in found]) == pytest.approx(values.var(), abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_all_judged_is_peoples_value_without_a_width(seed):
    inputs = made.sampled(share=1.0, seed=seed)
    frame = designs.frame_of(inputs, "exp")
    truth = np.random.default_rng(seed).uniform(0, 7, len(inputs.frame))
    sample = designs.sample_of(frame, np.arange(len(truth)), len(inputs.strata))
    model = designs.gains_of(inputs.frame, inputs.model, np.array([0.0, 1, 3, 7]))
    found = designs.estimate(frame, sample, model, truth)
    assert found.values == pytest.approx(designs.model_only(frame, truth))
    assert not found.covariance.any()


def test_95_percent_intervals_hold_a_made_truth_in_95_percent_though_the_judge_is_biased():
    found = mixed_intervals.coverage(mixed_intervals.made(), 250)
    assert 0.93 <= found.systems.mean() <= 0.97
    assert 0.93 <= found.differences.mean() <= 0.97
    assert found.half_width < 0.5 * mixed_intervals.coverage(mixed_intervals.made(), 20, with_model=False).half_width


def test_a_judge_that_saw_the_sample_would_make_them_worthless():
    """Grades in place of the judge's where it has seen people's: nothing is left to correct, the rest stays biased."""
    on = mixed_intervals.made()
    truth = designs.model_only(on.frame, on.people)
    draw = np.random.default_rng(0)
    held = []
    for _ in range(50):
        places = np.flatnonzero(draw.random(len(on.people)) < 0.2)
        sample = designs.sample_of(on.frame, places, len(on.inputs.strata))
        seen = on.model.copy()
        seen[sample.places] = on.people[sample.places]
        found = designs.estimate(on.frame, sample, seen, on.people[sample.places])
        held.append(np.abs(found.values - truth) <= 1.96 * np.sqrt(np.diag(found.covariance)))
    assert np.mean(held) < 0.1

"""The estimate from whole topics."""

import dataclasses
import itertools

import numpy as np
import pytest

from evaluation.studies.kinds.mixed import designs
from evaluation.studies.kinds.mixed.designs import Values
from evaluation.studies.kinds.mixed.inputs import Stratum
from tests.unit.evaluation.studies.kinds.mixed import made

MODEL = np.array([[0.2, 0.4, 0.6, 0.8]])
PEOPLE = np.array([[0.3, 0.3, 0.9, 0.8]])


def values(*sampled):
    return Values(MODEL, PEOPLE, np.array([topic in sampled for topic in range(4)]))


def test_the_models_mean_is_corrected_by_the_sampled_topics():
    found = values(0, 2)
    assert found.estimates == pytest.approx([0.5 + (0.1 + 0.3) / 2])
    # corrections .1 and .3: variance .02, times 1/2 - 1/4
    assert found.over_these == pytest.approx(np.array([[0.005]]))
    # people's values .3 and .9: variance .18, over 4 topics
    assert found.over_a_population == pytest.approx(np.array([[0.005 + 0.045]]))
    assert found.people_only == pytest.approx([0.6])


def test_over_all_samples_of_topics_it_is_unbiased_and_so_is_its_variance():
    found = [values(*pair) for pair in itertools.combinations(range(4), 2)]
    estimates = np.array([one.estimates[0] for one in found])
    assert estimates.mean() == pytest.approx(PEOPLE.mean())
    assert np.mean([one.over_these[0, 0] for one in found]) == pytest.approx(estimates.var())


def test_all_topics_judged_is_peoples_ndcg_without_a_width():
    inputs = made.sampled(share=1.0, unit="topic")
    found = designs.values_of(inputs, "linear")
    assert found.estimates == pytest.approx(found.people.mean(axis=1))
    assert not found.over_these.any()
    assert (np.diag(found.over_a_population) > 0).all()


def test_people_replace_the_model_in_sampled_topics_only_and_the_reference_stays():
    inputs = dataclasses.replace(made.small(), unit="topic", strata=(Stratum("q", ("a", "b", "c"), ("a", "b", "c")),))
    inputs = dataclasses.replace(inputs, people={("q", "a"): 0, ("q", "b"): 0, ("q", "c"): 0})
    found = designs.values_of(inputs, "linear")
    # first: r alone is relevant, at rank 2; under the model a, b and c are too
    assert found.people[0] == pytest.approx([1 / np.log2(3)])
    assert found.people[1] == pytest.approx([0])
    assert found.model[1] > 0


def test_students_t_with_few_topics():
    assert designs.quantile(9) == pytest.approx(2.306, abs=0.001)

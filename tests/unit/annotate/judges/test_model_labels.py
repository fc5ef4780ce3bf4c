import numpy as np
import pytest

from annotate.formats.records import GradeScale
from annotate.judges import model_labels

SCALE = GradeScale(1, 3)
A, B, C = ("q", "a"), ("q", "b"), ("r", "a")


def test_a_grade_is_a_likelihood_of_one_and_probabilities_are_taken_as_they_are():
    said = model_labels.build_labels([{A: 3, B: [0.5, 0.25, 0.25]}], SCALE)
    assert said.raters == 1
    assert said.select([B, A]).tolist() == [[[0.5, 0.25, 0.25]], [[0, 0, 1]]]


def test_a_silent_model_is_given_the_mean_of_the_others():
    said = model_labels.build_labels([{A: 1}, {A: 3}, {B: 2}], SCALE)
    assert said.select([A])[0].tolist() == [[1, 0, 0], [0, 0, 1], [0.5, 0, 0.5]]
    assert said.select([B])[0].tolist() == [[0, 1, 0]] * 3


def test_only_pairs_with_an_opinion_are_known():
    said = model_labels.build_labels([{A: 1}, {C: 2}], SCALE)
    assert set(said.rows) == {A, C}
    with pytest.raises(KeyError):
        said.select([B])


def test_what_exceeds_each_grade_sums_to_the_expected_step_above_the_lowest():
    likely = np.array([[0.5, 0.25, 0.25], [0, 0, 1]])
    assert model_labels.exceedance_probabilities(likely).tolist() == [[0.5, 0.25], [1, 1]]
    assert model_labels.exceedance_probabilities(likely).sum(axis=1) == pytest.approx(likely @ np.arange(3))


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (0, "grade 0 of topic q, passage a is not on the scale 1-3"),
        ([0.5, 0.5], "2 probabilities of topic q, passage a"),
        ([0.5, 0.2, 0.1], "topic q, passage a are not probabilities"),
        ([1.5, -0.5, 0.0], "topic q, passage a are not probabilities"),
        ([np.nan, 0.5, 0.5], "topic q, passage a are not probabilities"),
    ],
)
def test_what_no_model_can_say_is_refused_by_name(said, reason):
    with pytest.raises(ValueError, match=reason):
        model_labels.build_labels([{B: 2}, {A: said}], SCALE)

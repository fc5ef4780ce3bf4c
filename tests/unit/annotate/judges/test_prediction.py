import numpy as np

from annotate.judges import prediction

LIKELY = np.array([[0.5, 0.5], [0.2, 0.8]])


def test_the_grade_is_the_median_and_scoring_takes_the_same_probabilities():
    found = list(prediction.build_predictions(range(1, 3), LIKELY, [("a", ""), ("b", "b")]))
    assert found == [
        prediction.Prediction(1, (0.5, 0.5), "a", "", (0.5, 0.5)),
        prediction.Prediction(2, (0.2, 0.8), "b", "b", (0.2, 0.8)),
    ]


def test_other_probabilities_may_decide_the_grade_or_be_for_scoring():
    certain = np.array([[0.0, 1.0], [1.0, 0.0]])
    found = list(prediction.build_predictions(range(2), LIKELY, [("", "")] * 2, deciding=certain, for_scoring=certain))
    assert [(one.grade, one.probabilities, one.gain([0, 10])) for one in found] == [
        (1, (0.5, 0.5), 10.0),
        (0, (0.2, 0.8), 0.0),
    ]

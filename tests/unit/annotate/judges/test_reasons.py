import numpy as np
import pytest

from annotate.judges import prediction, text_features, text_vectors
from annotate.judges.training import JudgedTopic

STEMS = text_vectors.build_lexicon(["the goldfish grows", "the carrot", "the sea", "the end", "the rest", ""])


@pytest.mark.parametrize(
    ("query", "row", "said"),
    [
        ("the goldfish grows", 0, "covers 2 of 2 query words (goldfish, grows)"),
        ("Goldfish carrot zebra", 1, "covers 1 of 3 query words (carrot; not goldfish, zebra)"),
        ("goldfish", 5, "covers 0 of 1 query words (not goldfish)"),
        ("the", 1, "covers 1 of 1 query words (the)"),
        ("?!", 0, "the query has no words"),
        ("sea sea SEA", 2, "covers 1 of 1 query words (sea)"),
    ],
)
def test_coverage_says_which_words_are_there_and_which_not(query, row, said):
    assert prediction.explain_coverage(STEMS, query, row) == said


def test_many_words_are_cut_short():
    said = prediction.explain_coverage(STEMS, "a b c d e f g h i", 0)
    assert said == "covers 0 of 9 query words (not a, b, c, d, e, f, ...)"


def test_the_two_nearest_passages_are_never_some_that_are_left_out():
    cosines = np.array([[0.9, 0.2, 0.5], [1.0, 1.0, 1.0], [0.1, 0.3, 0.2]])
    is_left_out = np.array([[True, False, False], [True, True, True], [True, False, True]])
    texts = text_features.PairTexts(cosines.astype(np.float32), cosines, is_left_out)
    topic = JudgedTopic("q", ("a", "b", "c"), np.array([3, 0, 2]))
    assert prediction.explain_nearest(texts, topic) == [
        "nearest judged passages c, grade 2, and b, grade 0",
        "every judged passage of this topic is nearly the same text",
        "nearest judged passage b, grade 0",
    ]


def test_models_are_quoted_with_a_decimal_where_they_gave_probabilities():
    certain, torn = [0.0, 1.0, 0.0], [0.25, 0.0, 0.75]
    assert prediction.explain_models(np.array([certain]), 1) == "the model says grade 2"
    assert prediction.explain_models(np.array([certain, torn]), 0) == "the models say grades 1, 1.5"


@pytest.mark.parametrize(
    ("grades", "said"), [(0.31, "graded 0.3 higher than"), (-1.2, "graded 1.2 lower than"), (0.04, "graded as")]
)
def test_leniency_is_told_in_grades(grades, said):
    assert said in prediction.explain_leniency(grades)

import numpy as np
import pytest

from annotate.retrieval import analysis, inverted_index, scorers


def test_a_passage_equal_to_the_query_has_a_cosine_of_one(shelf: inverted_index.Library) -> None:
    scores = scorers.prepare_tfidf(shelf.index("lead"))("Split the string at a separator.")
    assert scores[2] == pytest.approx(1)
    assert scores.max() <= 1 + 1e-12


def test_the_weights_are_those_of_the_formula() -> None:
    index = inverted_index.build_index(["a a b", "b"], analysis.plain)
    a, b = (1 + np.log(2)) * (1 + np.log(2)), 1.0
    assert scorers.weigh_tfidf(index).toarray()[0].tolist() == pytest.approx(list(np.array([a, b]) / np.hypot(a, b)))


def test_a_query_without_known_terms_scores_nothing(shelf: inverted_index.Library) -> None:
    assert not scorers.prepare_tfidf(shelf.index())("zebra").any()

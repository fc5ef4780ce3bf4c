import numpy as np
import pytest

from annotate.retrieval import analysis, inverted_index, scorers


def test_with_all_dimensions_scores_of_passages_are_their_cosines(shelf: inverted_index.Library) -> None:
    query = "Walk a directory tree and all its directories."
    full = scorers.prepare_lsa(shelf.index("lead"), dimensions=100)(query)
    assert full == pytest.approx(scorers.prepare_tfidf(shelf.index("lead"))(query), abs=1e-9)


def test_a_passage_is_found_by_a_word_that_only_its_likes_hold() -> None:
    texts = ["car engine", "car engine wheel", "wheel engine", "poem verse", "verse rhyme poem"]
    index = inverted_index.build_index(texts, analysis.plain)
    scores = scorers.prepare_lsa(index, dimensions=2)("car")
    assert scorers.prepare_tfidf(index)("car")[2] == 0
    assert scores[2] > 0.9
    assert np.abs(scores[3:]).max() < 0.1


def test_the_same_passages_give_the_same_scores(shelf: inverted_index.Library) -> None:
    first, second = (scorers.prepare_lsa(shelf.index(), dimensions=2)("sort a list") for _ in range(2))
    assert first.tolist() == second.tolist()


def test_passages_without_words_score_nothing() -> None:
    index = inverted_index.build_index(["", ""], analysis.plain)
    assert scorers.prepare_lsa(index)("car").tolist() == [0, 0]

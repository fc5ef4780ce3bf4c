import numpy as np
import pytest

from annotate.retrieval import analysis, inverted, library, lsa, tfidf


def test_with_all_dimensions_scores_of_passages_are_their_cosines(shelf: library.Library) -> None:
    query = "Walk a directory tree and all its directories."
    full = lsa.prepare(shelf.index("lead"), dimensions=100)(query)
    assert full == pytest.approx(tfidf.prepare(shelf.index("lead"))(query), abs=1e-9)


def test_a_passage_is_found_by_a_word_that_only_its_likes_hold() -> None:
    texts = ["car engine", "car engine wheel", "wheel engine", "poem verse", "verse rhyme poem"]
    index = inverted.build(texts, analysis.plain)
    scores = lsa.prepare(index, dimensions=2)("car")
    assert tfidf.prepare(index)("car")[2] == 0
    assert scores[2] > 0.9
    assert np.abs(scores[3:]).max() < 0.1


def test_the_same_passages_give_the_same_scores(shelf: library.Library) -> None:
    first, second = (lsa.prepare(shelf.index(), dimensions=2)("sort a list") for _ in range(2))
    assert first.tolist() == second.tolist()


def test_passages_without_words_score_nothing() -> None:
    index = inverted.build(["", ""], analysis.plain)
    assert lsa.prepare(index)("car").tolist() == [0, 0]

from math import log

import pytest

from annotate.formats.records import Passage
from annotate.retrieval import analysis, inverted_index, scorers


def test_scores_are_those_of_the_formula() -> None:
    index = inverted_index.build_index(["a a b", "b", "c"], analysis.plain)
    scores = scorers.prepare_bm25(index, k1=1.2, b=0.75)("a")
    idf = log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    norm = 1.2 * (1 - 0.75 + 0.75 * 3 / (5 / 3))
    assert scores.tolist() == pytest.approx([idf * 2 * 2.2 / (2 + norm), 0, 0])


def test_with_b_1_the_shorter_of_two_passages_is_better_and_with_b_0_they_are_equal() -> None:
    index = inverted_index.build_index(["a", "a b c d", "e"], analysis.plain)
    short, long, _ = scorers.prepare_bm25(index, b=1.0)("a")
    assert short > long
    short, long, _ = scorers.prepare_bm25(index, b=0.0)("a")
    assert short == pytest.approx(long)


def test_a_rare_term_weighs_more_than_a_common_one() -> None:
    index = inverted_index.build_index(["a x", "a y", "a z"], analysis.plain)
    assert scorers.prepare_bm25(index)("a x").argmax() == 0


def test_a_field_that_all_passages_lack_gives_scores_of_zero() -> None:
    untitled = inverted_index.Library([Passage("a", "sort"), Passage("b", "split")])
    assert scorers.prepare_bm25(untitled.index("title"))("sort").tolist() == [0, 0]

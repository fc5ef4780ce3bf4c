from math import log

import pytest

from annotate.formats.records import Passage
from annotate.retrieval import analysis, bm25, inverted, library


def test_scores_are_those_of_the_formula() -> None:
    index = inverted.build(["a a b", "b", "c"], analysis.plain)
    scores = bm25.prepare(index, k1=1.2, b=0.75)("a")
    idf = log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    norm = 1.2 * (1 - 0.75 + 0.75 * 3 / (5 / 3))
    assert scores.tolist() == pytest.approx([idf * 2 * 2.2 / (2 + norm), 0, 0])


def test_with_b_1_the_shorter_of_two_passages_is_better_and_with_b_0_they_are_equal() -> None:
    index = inverted.build(["a", "a b c d", "e"], analysis.plain)
    short, long, _ = bm25.prepare(index, b=1.0)("a")
    assert short > long
    short, long, _ = bm25.prepare(index, b=0.0)("a")
    assert short == pytest.approx(long)


def test_a_rare_term_weighs_more_than_a_common_one() -> None:
    index = inverted.build(["a x", "a y", "a z"], analysis.plain)
    assert bm25.prepare(index)("a x").argmax() == 0


def test_a_field_that_all_passages_lack_gives_scores_of_zero() -> None:
    untitled = library.Library([Passage("a", "sort"), Passage("b", "split")])
    assert bm25.prepare(untitled.index("title"))("sort").tolist() == [0, 0]

from math import log

import pytest

from annotate.retrieval import analysis, inverted_index, scorers


def index() -> inverted_index.InvertedIndex:
    return inverted_index.build_index(["a a b c", "a b b d", "e e e e"], analysis.plain)


def test_jelinek_mercer_scores_are_those_of_the_formula() -> None:
    scores = scorers.prepare_jelinek_mercer(index(), mixture=0.4)("a")
    language = 3 / 12
    assert scores.tolist() == pytest.approx(
        [log(1 + 0.6 / 0.4 * (2 / 4) / language), log(1 + 0.6 / 0.4 * (1 / 4) / language), 0]
    )


def test_dirichlet_differences_are_those_of_the_formula() -> None:
    first, second, none = scorers.prepare_dirichlet(index(), mu=10)("a b")

    def ratio(a: int, b: int) -> float:
        return sum(log((count + 10 * 3 / 12) / (4 + 10) / (3 / 12)) for count in (a, b))

    assert first - second == pytest.approx(ratio(2, 1) - ratio(1, 2))
    assert none == 0


def test_dirichlet_prefers_the_shorter_of_two_passages_with_the_same_counts() -> None:
    short, long = scorers.prepare_dirichlet(inverted_index.build_index(["a b", "a c d e"], analysis.plain))("a")
    assert short > long > 0


def test_all_passages_that_hold_a_term_have_scores_above_zero(shelf: inverted_index.Library) -> None:
    scores = scorers.prepare_dirichlet(shelf.index())("the list of sorted strings")
    assert (scores > 0).tolist() == [True, True, True, False, False]

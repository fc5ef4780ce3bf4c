import pytest

from annotate.retrieval import analysis, coverage, inverted


def test_more_different_terms_beat_more_occurrences_and_a_repeated_query_term_counts_once() -> None:
    index = inverted.build(["a a a a", "a b", "c"], analysis.plain)
    scores = coverage.prepare(index)("a a b")
    assert scores.tolist() == pytest.approx([1 + 1 / 6, 2 + 1 / 4, 0])


def test_brevity_never_outweighs_a_term() -> None:
    index = inverted.build(["a", "a b " + "x " * 500], analysis.plain)
    short, long = coverage.prepare(index)("a b")
    assert long > short

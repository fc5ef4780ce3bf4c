import pytest

from annotate.retrieval import analysis, inverted_index, scorers


def test_more_different_terms_beat_more_occurrences_and_a_repeated_query_term_counts_once() -> None:
    index = inverted_index.build_index(["a a a a", "a b", "c"], analysis.plain)
    scores = scorers.prepare_coverage(index)("a a b")
    assert scores.tolist() == pytest.approx([1 + 1 / 6, 2 + 1 / 4, 0])


def test_brevity_never_outweighs_a_term() -> None:
    index = inverted_index.build_index(["a", "a b " + "x " * 500], analysis.plain)
    short, long = scorers.prepare_coverage(index)("a b")
    assert long > short

"""How well filled holes rank systems: tau-b with the ranking that all grades give."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from annotate.formats import runs
from evaluation.engine import pair_index, run_index
from evaluation.engine.pair_index import PairIndex
from evaluation.measures import grade_matrix, registry
from evaluation.measures.grade_matrix import Floats, GradeMatrix
from evaluation.measures.registry import Measure
from evaluation.statistics import rank_correlation

Pair = tuple[str, str]
V = TypeVar("V")
LINEAR, EXPONENTIAL = registry.parse("nDCG@10"), registry.parse("nDCG(gain=exp)@10")
_DEPTH = 10


class Systems:
    """The first ten ranks of runs, and the grades of all pairs, on a scale from 0 to `highest`."""

    def __init__(self, paths: Sequence[Path], grades: Mapping[Pair, int], highest: int = 3) -> None:
        self.grades = grades
        self.highest = highest
        rankings = run_index.build(list(runs.read_runs(paths, depth=_DEPTH)), _DEPTH)
        self.index: PairIndex = pair_index.build(rankings, [by_topic(grades)])

    @cached_property
    def top(self) -> frozenset[Pair]:
        """The pairs with a grade that some run has among its first ten."""
        numbers = set(self.index.at_ranks.ravel().tolist())
        return frozenset(
            (query_id, passage_id)
            for query_id, known in zip(self.index.topics, self.index.numbers, strict=True)
            for passage_id, number in known.items()
            if number in numbers
        )

    def tau_b(self, filled: Mapping[Pair, Sequence[float]], measure: Measure = LINEAR) -> float:
        """tau-b of the means where the pairs `filled` have probabilities in place of their grades."""
        whole, holed = (self._means(probabilities, measure) for probabilities in ({}, filled))
        return float(rank_correlation.tau_bs(whole[None], holed[None])[0])

    def _means(self, filled: Mapping[Pair, Sequence[float]], measure: Measure) -> Floats:
        means: Floats = measure.compute(self._matrix(filled)).mean(axis=-1)
        return means

    def _matrix(self, filled: Mapping[Pair, Sequence[float]]) -> GradeMatrix:
        certain = by_topic({pair: grade for pair, grade in self.grades.items() if pair not in filled})
        probabilities = by_topic(filled)
        topics = self.index.topics
        coded, rows = grade_matrix.code_uncertain(
            [certain.get(query_id, {}) for query_id in topics],
            [probabilities.get(query_id, {}) for query_id in topics],
            highest=self.highest,
        )
        vector = pair_index.grades(self.index, dict(zip(topics, coded, strict=True)), highest=len(rows))
        return replace(pair_index.matrix(self.index, vector, highest=self.highest), probabilities=rows)


def by_topic(values: Mapping[Pair, V]) -> dict[str, dict[str, V]]:
    """The values of pairs by topic and passage."""
    result: dict[str, dict[str, V]] = {}
    for (query_id, passage_id), value in values.items():
        result.setdefault(query_id, {})[passage_id] = value
    return result

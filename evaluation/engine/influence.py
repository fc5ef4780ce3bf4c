"""Influence: how far the grade of a hole can move the differences between systems' mean nDCG@10."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotate.formats.records import Qrels
from evaluation.engine import pair_index
from evaluation.engine.pair_index import PairIndex, Pairs
from evaluation.measures import gains
from evaluation.measures.grade_matrix import Floats, GradeMatrix

CUTOFF = 10
MEASURE = f"nDCG@{CUTOFF}"

Pair = tuple[str, str]


class TooFewSystems(ValueError):
    """There are no two systems whose difference could change."""


@dataclass(frozen=True, eq=False)
class Influence:
    """Two figures of each of h holes; both are means over all pairs of systems of an absolute change of the difference
    between their mean nDCG@10, 0 or more, with the shape (h,).

    `of_grade` is the change between the hole at gain 0, as it counts today, and at the top grade, with the ideal held
    fixed. `through_ideal` is what the ideal alone changes, which the hole at the top grade may raise; it is the same
    for all holes of a topic. Both are 0 in `topics_without_ideal`, where nothing is relevant yet.
    """

    holes: tuple[Pair, ...]
    of_grade: Floats
    through_ideal: Floats
    topics_without_ideal: tuple[str, ...]


def compute_influence(index: PairIndex, qrels: Qrels, holes: Pairs, *, highest: int = 3) -> Influence:
    """The influence of the holes, by topic and passage, that the qrels do not grade, in the order of the index.

    The index has the pairs of both, on the topics over which means are, at least `CUTOFF` ranks deep. Gains are linear.
    Raises TooFewSystems, GradeOffScale, and KeyError for a hole that the index lacks.
    """
    if len(index.run_tags) < 2:
        raise TooFewSystems("Influence is about differences between systems, so it needs two runs.")
    matrix = pair_index.matrix(index, pair_index.grades(index, qrels, highest=highest), highest=highest)
    worth = gains.gain_table("linear", highest)
    ideal, raised = _ideals(matrix, worth)
    spread = _mean_differences(gains.discounted(matrix.gains(worth, CUTOFF)))
    through_ideal = (gains.share(spread, ideal) - gains.share(spread, raised)) / max(len(index.topics), 1)
    unit = gains.share(np.full(len(ideal), worth[-1]), ideal) / max(len(index.topics), 1)
    topic, numbers, named = _located(index, holes)
    return Influence(
        holes=named,
        of_grade=_separations(index)[numbers] * unit[topic],
        through_ideal=through_ideal[topic],
        topics_without_ideal=tuple(name for name, worth in zip(index.topics, ideal, strict=True) if not worth),
    )


def weighted(found: Influence, probabilities: Mapping[Pair, Sequence[float]]) -> dict[Pair, float]:
    """The expected `of_grade` of the holes whose grade has `probabilities`, the probabilities of the grades from 0 up.

    The change grows with the gain of the grade, which is linear, so it is the figure times the expected share of the
    top gain.
    """
    return {
        hole: float(figure) * _expected_share(probabilities[hole])
        for hole, figure in zip(found.holes, found.of_grade.tolist(), strict=True)
        if hole in probabilities
    }


def ranks(index: PairIndex, hole: Pair) -> dict[int, list[str]]:
    """By rank, from 1, the systems that retrieve a hole there, in the order of the index."""
    topic = index.topics.index(hole[0])
    systems, places = np.nonzero(index.at_ranks[:, topic, :CUTOFF] == index.numbers[topic][hole[1]])
    found: dict[int, list[str]] = {}
    for place, system in sorted(zip(places.tolist(), systems.tolist(), strict=True)):
        found.setdefault(place + 1, []).append(index.run_tags[system])
    return found


def _ideals(matrix: GradeMatrix, worth: Floats) -> tuple[Floats, Floats]:
    """By topic the ideal DCG of today, and with one more passage of the top grade, which stands first."""
    present = matrix.ideal_gains(worth, CUTOFF)[0]
    one_more = np.full((len(present), 1), worth[-1])
    return gains.discounted(present), gains.discounted(np.concatenate([one_more, present], axis=-1)[:, :CUTOFF])


def _located(index: PairIndex, holes: Pairs) -> tuple[NDArray[np.intp], NDArray[np.intp], tuple[Pair, ...]]:
    """The places of the topics and the numbers of the pairs of all holes, and their ids."""
    found = [
        (topic, known[passage_id], (query_id, passage_id))
        for topic, (query_id, known) in enumerate(zip(index.topics, index.numbers, strict=True))
        for passage_id in holes.get(query_id, ())
    ]
    topics, numbers, named = zip(*found, strict=True) if found else ((), (), ())
    return np.array(topics, dtype=np.intp), np.array(numbers, dtype=np.intp), named


def _separations(index: PairIndex) -> Floats:
    """By number of a pair the mean difference between the discounts that two systems give it, none being 0.

    Two systems differ by the steps of the discount between their ranks. So each step counts once for each system that
    ranks the pair at least so high and each that does not: exactly 0 where all systems have it at one rank.
    """
    systems, depth = len(index.run_tags), min(CUTOFF, index.at_ranks.shape[-1])
    cells = index.at_ranks[..., :depth].astype(np.intp) * depth + np.arange(depth)
    pairs = len(index) + 2
    counts = np.bincount(cells.ravel(), minlength=pairs * depth).reshape(pairs, depth)
    at_least = counts.cumsum(axis=1)
    discount = 1.0 / np.log2(np.arange(2, depth + 2))
    crossed: Floats = (at_least * (systems - at_least)) @ -np.diff(discount, append=0.0)
    return crossed / _couples(systems)


def _mean_differences(values: Floats) -> Floats:
    """The mean absolute difference of two systems in each column of (system, column)."""
    systems = len(values)
    below = np.arange(1, systems)
    total: Floats = (below * (systems - below)) @ np.diff(np.sort(values, axis=0), axis=0)
    return total / _couples(systems)


def _couples(systems: int) -> float:
    return systems * (systems - 1) / 2


def _expected_share(probabilities: Sequence[float]) -> float:
    top = len(probabilities) - 1
    return sum(grade * chance for grade, chance in enumerate(probabilities)) / top

"""The grade matrix: the grades that stand at the ranks of rankings, beside what the topics hold in all.

Every measure reads this and nothing else, so the same function scores one run and a sweep over systems,
fractions and trials in which only the grades change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

UNJUDGED = -1
JUNK = -2
EMPTY = -3

Grades = NDArray[np.signedinteger[Any]]
Floats = NDArray[np.float64]
Cell = TypeVar("Cell", bound=np.generic)


class GradeOffScale(ValueError):
    """A grade is above the highest grade of the scale."""


@dataclass(frozen=True, eq=False)
class GradeMatrix:
    """Grades at ranks, for any leading axes.

    `grades` has the shape (..., topic, rank). A cell is the grade of the passage at that rank (0 to
    `highest`) or UNJUDGED (a hole), JUNK (looked at, worthless, not a grade) or EMPTY (the ranking has
    ended). `judged` has a shape that broadcasts to (..., topic, n): all grades of each topic, falling,
    filled up with EMPTY. The ideal of nDCG and the number of relevant passages come from it, never from
    what was retrieved.

    With `probabilities` (k, highest + 1) a cell from 0 up is a row of it instead: the probabilities of the grades
    from 0 to `highest` of the passage at that rank. The first highest + 1 rows are those of the certain
    grades, so that a grade is its own row; `judged` stands in any order then. See `code_uncertain`.
    """

    grades: Grades
    judged: Grades
    highest: int
    probabilities: Floats | None = None

    def gains(self, worth: Floats, cutoff: int | None = None) -> Floats:
        """The gain at each of the first `cutoff` ranks (all for None), `worth[g]` being that of grade g.

        Expected gains, where there are `probabilities`. Holes, junk and ends give 0. Shape (..., topic, rank).
        """
        return self._at(cut(self.grades, cutoff), worth)

    def ideal_gains(self, worth: Floats, cutoff: int | None = None) -> Floats:
        """The gains of all that is judged, falling, the first `cutoff` of them; (..., topic, rank).

        `worth` may not fall. With `probabilities` the order is that of the expected gains: a plug-in, since the
        ideal of the true grades is expected to be higher.
        """
        if self.probabilities is None:
            return self._at(cut(self.judged, cutoff), worth)
        return cut(-np.sort(-self._at(self.judged, worth), axis=-1), cutoff)

    def relevance(self, rel: int, cutoff: int | None = None) -> Floats:
        """The probability that the passage at a rank has at least grade `rel`; without `probabilities` 0 or 1."""
        return self.gains(self._is_relevant(rel), cutoff)

    def n_relevant(self, rel: int) -> Floats:
        """The (expected) number of judged passages of each topic with at least grade `rel`; (..., topic)."""
        total: Floats = self._at(self.judged, self._is_relevant(rel)).sum(axis=-1)
        return total

    def n_judged(self) -> NDArray[np.int64]:
        """The number of judged passages of each topic; (..., topic)."""
        return np.asarray(np.count_nonzero(self.judged >= 0, axis=-1))

    def judged_share(self, cutoff: int) -> Floats:
        """The share of the first `cutoff` places that hold a judged passage, of which empty places hold none."""
        return np.asarray(np.count_nonzero(cut(self.grades, cutoff) >= 0, axis=-1) / cutoff)

    def _is_relevant(self, rel: int) -> Floats:
        return (np.arange(self.highest + 1) >= rel).astype(np.float64)

    def _at(self, cells: Grades, worth: Floats) -> Floats:
        """The one place where grades become gains."""
        expected = worth if self.probabilities is None else self.probabilities @ worth
        # The three states are -1, -2, -3: as indices they count from the end, where three zeros stand.
        return np.append(expected, [0.0, 0.0, 0.0])[cells]


def build(rankings: Sequence[Sequence[str]], judged: Sequence[Mapping[str, int]], *, highest: int = 3) -> GradeMatrix:
    """The matrix of one run: `rankings[t]` holds the passages of topic t, best first, `judged[t]` its grades.

    Grade -1 (pooled but unjudged) is a hole; grades below -1 are junk. Raises GradeOffScale for a grade above
    `highest`.

    >>> matrix = build([["d2", "u1", "d1"], ["d1"]], [{"d1": 3, "d2": 2, "d5": 3}, {"d1": -2, "d2": 0}])
    >>> matrix.grades.tolist()
    [[2, -1, 3], [-2, -3, -3]]
    >>> matrix.judged.tolist()
    [[3, 3, 2], [0, -3, -3]]
    """
    check_scale(judged, highest)
    result = [
        [max(grades.get(passage_id, UNJUDGED), JUNK) for passage_id in ranking]
        for ranking, grades in zip(rankings, judged, strict=True)
    ]
    ideal = [sorted((g for g in grades.values() if g >= 0), reverse=True) for grades in judged]
    return GradeMatrix(_rectangle(result, highest), _rectangle(ideal, highest), highest)


def check_scale(judged: Sequence[Mapping[str, int]], highest: int) -> None:
    """Raises GradeOffScale if a grade is above `highest`."""
    top = max((max(grades.values()) for grades in judged if grades), default=0)
    if top > highest:
        raise GradeOffScale(f"grade {top} is above {highest}, the highest grade of the scale")


def cell_type(highest: int) -> type[np.signedinteger[Any]]:
    """The smallest type of integers that cells hold to `highest`."""
    return np.int16 if highest <= np.iinfo(np.int16).max else np.int32


def cut(cells: NDArray[Cell], cutoff: int | None) -> NDArray[Cell]:
    """The first `cutoff` ranks, or all of them without a cut-off."""
    return cells if cutoff is None else cells[..., :cutoff]


def _rectangle(rows: Sequence[Sequence[int]], highest: int) -> Grades:
    width = max(map(len, rows), default=0)
    filled = np.full((len(rows), width), EMPTY, dtype=cell_type(highest))
    for row, cells in zip(filled, rows, strict=True):
        row[: len(cells)] = cells
    return filled


GradeProbabilities = Mapping[str, Sequence[float]]
SUM_TOLERANCE = 0.01


class NoDistribution(ValueError):
    """What a passage has are no probabilities of the grades of the scale."""


def code_uncertain(
    judged: Sequence[Mapping[str, int]], probabilities: Sequence[GradeProbabilities], *, highest: int
) -> tuple[list[dict[str, int]], Floats]:
    """The grades by topic with rows of probabilities in the holes, and these rows, as `GradeMatrix.probabilities` is.

    `probabilities[t]` holds those of topic t by passage, of the grades from 0 to `highest`; their sum, which may be off
    by rounding, is made 1. A passage with a grade, or known to be junk, keeps it. Measures read
    expected gains and probabilities of relevance from the matrix, never the gain of an expected grade. Raises
    NoDistribution, naming the passage, and what `build` raises.
    """
    check_scale(judged, highest)
    rows: list[Floats] = [*np.eye(highest + 1)]
    coded: list[dict[str, int]] = []
    for given, topic in zip(judged, probabilities, strict=True):
        grades = dict(given)
        for passage_id, of_grades in topic.items():
            if grades.get(passage_id, UNJUDGED) == UNJUDGED:
                grades[passage_id] = len(rows)
                rows.append(_distribution(passage_id, of_grades, highest))
        coded.append(grades)
    return coded, np.array(rows)


def _distribution(passage_id: str, probabilities: Sequence[float], highest: int) -> Floats:
    given = np.array(probabilities, dtype=np.float64)
    if len(given) != highest + 1:
        raise NoDistribution(f"passage {passage_id!r} has {len(given)} probabilities for the grades 0 to {highest}")
    total = given.sum()
    if not ((given >= 0).all() and abs(total - 1.0) <= SUM_TOLERANCE):
        raise NoDistribution(f"the probabilities of passage {passage_id!r} are not numbers from 0 that sum to 1")
    row: Floats = given / total
    return row

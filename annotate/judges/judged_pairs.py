"""The judged pairs that a judge learns from, checked and put in order."""

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.formats.scale import GradeScale

_LEAST = 10  # judged pairs; with fewer, probabilities would be invented
_MOST = 500  # of one topic: cost is cubic in them


class TooFewGrades(ValueError):
    """There is too little to learn from."""


class UnknownPair(ValueError):
    """A pair whose topic or passage has no text here."""


class JudgedTopic(NamedTuple):
    """The judged pairs of a topic, by passage id."""

    query_id: str
    passage_ids: tuple[str, ...]
    grades: NDArray[np.int64]


def by_topic(
    grades: Mapping[tuple[str, str], int],
    *,
    scale: GradeScale,
    topics: Container[str],
    passages: Container[str],
    seed: int,
) -> list[JudgedTopic]:
    """Topics in the order of their ids, with at most 500 pairs each (drawn by `seed` where there are more).

    Raises TooFewGrades with fewer than 10 pairs or a single grade, UnknownPair where a text is missing,
    ValueError for a grade off the scale (-1 and -2 are no grades to learn from: the caller leaves them out).
    """
    check(grades, scale=scale, topics=topics, passages=passages)
    rng = np.random.default_rng(seed)
    found = [
        _topic(query_id, [(passage_id, grade) for (_, passage_id), grade in pairs], rng)
        for query_id, pairs in groupby(sorted(grades.items()), key=lambda item: item[0][0])
    ]
    return found


def check(
    grades: Mapping[tuple[str, str], int], *, scale: GradeScale, topics: Container[str], passages: Container[str]
) -> None:
    """Whether judged pairs can be learned from. Raises as `by_topic`."""
    check_valid(grades, scale=scale, topics=topics, passages=passages)
    _check_enough(list(grades.values()))


def check_valid(
    grades: Mapping[tuple[str, str], int], *, scale: GradeScale, topics: Container[str], passages: Container[str]
) -> None:
    """The same but for how many there are."""
    check_known(grades, topics, passages)
    for (query_id, passage_id), grade in grades.items():
        if grade not in scale:
            raise ValueError(f"grade {grade} of topic {query_id}, passage {passage_id} is not on the scale {scale}")


def check_known(pairs: Iterable[tuple[str, str]], topics: Container[str], passages: Container[str]) -> None:
    """Raises UnknownPair for the first pair of which a text is missing."""
    for query_id, passage_id in pairs:
        if query_id not in topics:
            raise UnknownPair(f"topic {query_id} has no text here")
        if passage_id not in passages:
            raise UnknownPair(f"passage {passage_id} of topic {query_id} has no text here")


def _check_enough(grades: Sequence[int]) -> None:
    if len(grades) < _LEAST:
        raise TooFewGrades(f"a judge learns from at least {_LEAST} judged pairs, and there are {len(grades)}")
    if len(set(grades)) == 1:
        raise TooFewGrades(f"all {len(grades)} judged pairs have the same grade, there is nothing to tell apart")


def _topic(query_id: str, pairs: list[tuple[str, int]], rng: np.random.Generator) -> JudgedTopic:
    if len(pairs) > _MOST:
        pairs = [pairs[place] for place in np.sort(rng.permutation(len(pairs))[:_MOST])]
    passage_ids, grades = zip(*pairs, strict=True)
    return JudgedTopic(query_id, passage_ids, np.array(grades, np.int64))

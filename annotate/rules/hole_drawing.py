"""Synthetic holes: drop a seeded share of each chosen grade (Upadhyay, Kamalloo, Lin 2024, arXiv:2405.04727)."""

import math
from collections.abc import Collection, Mapping

from annotate.rules import seeds


def draw(
    grades: Mapping[tuple[str, str], int], *, chosen: Collection[int], fraction: float, seed: int
) -> set[tuple[str, str]]:
    """Which (query_id, passage_id) pairs become holes: floor(n * fraction) of the n pairs of each chosen grade.

    The sample of a grade is taken over all topics together. It depends on the seed and the ids only, and a larger
    fraction drops what a smaller one dropped and more. Raises ValueError where the fraction is not in (0, 1].
    """
    if not 0 < fraction <= 1:
        raise ValueError("the fraction to drop is above 0 and at most 1")
    holes: set[tuple[str, str]] = set()
    for grade in sorted(set(chosen)):
        pairs = [pair for pair, given in grades.items() if given == grade]
        pairs.sort(key=lambda pair: (seeds.number(seed, "hole", *pair, bits=256), pair))
        # A share such as 0.29 of 100 is 28.999... in binary: what a person means is 29.
        holes.update(pairs[: math.floor(len(pairs) * fraction + 1e-9)])
    return holes

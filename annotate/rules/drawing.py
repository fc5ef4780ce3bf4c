"""Which pairs people judge, and in which order: pools, synthetic holes, random samples, orders.

Synthetic holes: Upadhyay, Kamalloo, Lin 2024, arXiv:2405.04727. Samples have known probabilities; the designs and what
they allow: Cochran, Sampling Techniques, 3rd ed. 1977, chapters 5 (strata) and 9 (clusters). An order is one key a
pair, shared by all assessors, smaller first."""

import hashlib
import math
from collections.abc import Collection, Iterable, Mapping, Sequence


def seeded_number(seed: int, *names: str, bits: int = 63) -> int:
    """A uniform whole number in [0, 2**bits) fixed by the seed and the names, in this order.

    Names are told apart by their lengths, so that ("a", "bc") and ("ab", "c") differ. At most 256 bits.
    """
    digest = hashlib.sha256(str(seed).encode())
    for name in names:
        text = name.encode()
        digest.update(b"|%d:" % len(text) + text)
    return int.from_bytes(digest.digest(), "big") >> (256 - bits)


def seeded_share(seed: int, *names: str) -> float:
    """A uniform number in [0, 1) fixed by the seed and the names."""
    return seeded_number(seed, *names, bits=53) / 2**53


SEEDS = range(-(2**63), 2**63)  # what the database holds
TOPIC = "TOPIC"
RANDOM = "RANDOM"
SAMPLE = "SAMPLE"
LIST = "LIST"
INFLUENCE = "INFLUENCE"
DRAWN = (SAMPLE, LIST, INFLUENCE)
"""Orders in which a draw gave the keys: nobody works them out anew."""
BEHIND = 1 << 62
"""Above every key of TOPIC and RANDOM, and of what a draw placed."""
Pair = tuple[str, str]
LEAST_SAMPLED = 2
"""Fewer judged pairs of a topic, or fewer judged topics, tell no variance."""


class CannotDraw(Exception):
    """What stands in the way, for now."""


class BadValue(CannotDraw):
    """A share, number or seed that can never be drawn with."""


def check_seed(seed: int) -> None:
    if seed not in SEEDS:
        raise BadValue("The seed is a whole number of at most 63 bits.")


def pool_runs(rankings: Iterable[Mapping[str, Sequence[str]]], depth: int) -> dict[tuple[str, str], int]:
    """Pool runs, each given as query_id -> passage ids in rank order.

    Returns (query_id, passage_id) -> best rank from 1. Raises ValueError for a depth below 1.
    """
    if depth < 1:
        raise ValueError("the depth of a pool is at least 1")
    best: dict[tuple[str, str], int] = {}
    for ranking in rankings:
        for query_id, passage_ids in ranking.items():
            for rank, passage_id in enumerate(passage_ids[:depth], start=1):
                pair = (query_id, passage_id)
                best[pair] = min(rank, best.get(pair, rank))
    return best


def draw_holes(
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
        pairs.sort(key=lambda pair: (seeded_number(seed, "hole", *pair, bits=256), pair))
        # A share such as 0.29 of 100 is 28.999... in binary: what a person means is 29.
        holes.update(pairs[: math.floor(len(pairs) * fraction + 1e-9)])
    return holes


def order_key(order: str, seed: int, query_id: str, passage_id: str) -> int:
    """The place of a pair in the permutation that the seed fixes, in [0, 2**63).

    TOPIC keeps a topic's pairs together (topics in random order, pairs random within); RANDOM mixes all pairs. In a
    drawn order it is the place of a pair that the draw does not name: behind all that it names, mixed.
    """
    if order == TOPIC:
        within = seeded_number(seed, "pair", query_id, passage_id, bits=31)
        return seeded_number(seed, "topic", query_id, bits=31) << 31 | within
    mixed = seeded_number(seed, "all", query_id, passage_id, bits=62)
    if order == RANDOM:
        return mixed
    if order in DRAWN:
        return BEHIND | mixed
    raise ValueError(f"no such order: {order}")


def order_by_value(values: Mapping[Pair, float]) -> dict[Pair, int]:
    """Keys from 0 by falling value; of equal values the ids decide, by their bytes."""
    ranked = sorted(values, key=lambda pair: (-values[pair], pair[0].encode(), pair[1].encode()))
    return {pair: place for place, pair in enumerate(ranked)}


def scatter_pairs(pairs: Collection[Pair], places: int, seed: int) -> dict[Pair, int]:
    """Keys that scatter pairs evenly among `places` pairs whose keys are 0, 1, 2 ..."""
    return {pair: seeded_number(seed, "mixed in", *pair) % max(1, places) for pair in pairs}


def sizes_by_share(frame: Mapping[str, Collection[str]], share: float) -> dict[str, int]:
    """How many pairs of each topic make at least this share of its frame, in (0, 1]; two or more, or all it has."""
    if not 0 < share <= 1:
        raise ValueError("the share of each topic is above 0 and at most 1")
    # A share such as 0.07 of 100 is 7.000000000000001 in binary: what a person means is 7.
    return {topic: _bounded(math.ceil(len(names) * share - 1e-9), len(names)) for topic, names in frame.items()}


def sizes_by_number(frame: Mapping[str, Collection[str]], number: int) -> dict[str, int]:
    """The same number of pairs of each topic, two or more, or all that a topic has."""
    if number < LEAST_SAMPLED:
        raise ValueError(f"a sample has {LEAST_SAMPLED} pairs or more of each topic")
    return {topic: _bounded(number, len(names)) for topic, names in frame.items()}


def sample_within_topics(
    frame: Mapping[str, Collection[str]], sizes: Mapping[str, int], seed: int
) -> dict[str, tuple[str, ...]]:
    """The sampled passages of each topic, in random order: without replacement, each as likely as another of its topic.

    What is drawn in a topic depends on the seed and its own ids only, and a larger sample holds the smaller one.
    """
    return {
        topic: tuple(sorted(names, key=lambda name: (seeded_number(seed, "sample", topic, name, bits=256), name)))[
            : sizes[topic]
        ]
        for topic, names in frame.items()
    }


def sample_topics(topics: Collection[str], number: int, seed: int) -> tuple[str, ...]:
    """`number` of the topics, two or more, in random order. Raises ValueError where there are fewer."""
    if not LEAST_SAMPLED <= number <= len(topics):
        raise ValueError(f"between {LEAST_SAMPLED} and all {len(topics)} topics can be sampled, not {number}")
    return tuple(sorted(topics, key=lambda topic: (seeded_number(seed, "sample", topic, bits=256), topic))[:number])


def order_in_rounds(sample: Mapping[str, Collection[str]], seed: int) -> list[Pair]:
    """The sampled pairs in the order in which they are judged: first one pair of every topic, then a second of every
    topic, and so on, topics in a new random order in each round.

    So judging that ends early, at a number fixed beforehand, leaves every topic with nearly as many judged pairs as
    the others have; topic by topic it would leave whole topics without any.
    """
    rounds = (
        (place, seeded_number(seed, "round", topic, name), (topic, name))
        for topic, names in sample.items()
        for place, name in enumerate(names)
    )
    return [pair for *_, pair in sorted(rounds)]


def _bounded(wanted: int, there: int) -> int:
    return min(there, max(LEAST_SAMPLED, wanted))


def sample_each_grade(grades: Mapping[Pair, int], number: int, seed: int) -> dict[int, list[Pair]]:
    """By grade, `number` of the pairs that have it, or all there are, in random order."""
    drawn: dict[int, list[Pair]] = {grade: [] for grade in sorted(set(grades.values()))}
    for pair in sorted(grades, key=lambda pair: (seeded_number(seed, "reference", *pair, bits=256), pair)):
        if len(drawn[grades[pair]]) < number:
            drawn[grades[pair]].append(pair)
    return drawn

"""Random samples of pairs for people to judge, of known probabilities: pairs within topics, or whole topics.

The designs and what they allow: Cochran, Sampling Techniques, 3rd ed. 1977, chapters 5 (strata) and 9 (clusters).
"""

import math
from collections.abc import Collection, Mapping

from annotate.rules import seeds

LEAST = 2
"""Fewer judged pairs of a topic, or fewer judged topics, tell no variance."""

Pair = tuple[str, str]


def sizes_by_share(frame: Mapping[str, Collection[str]], share: float) -> dict[str, int]:
    """How many pairs of each topic make at least this share of its frame, in (0, 1]; two or more, or all it has."""
    if not 0 < share <= 1:
        raise ValueError("the share of each topic is above 0 and at most 1")
    # A share such as 0.07 of 100 is 7.000000000000001 in binary: what a person means is 7.
    return {topic: _bounded(math.ceil(len(names) * share - 1e-9), len(names)) for topic, names in frame.items()}


def sizes_by_number(frame: Mapping[str, Collection[str]], number: int) -> dict[str, int]:
    """The same number of pairs of each topic, two or more, or all that a topic has."""
    if number < LEAST:
        raise ValueError(f"a sample has {LEAST} pairs or more of each topic")
    return {topic: _bounded(number, len(names)) for topic, names in frame.items()}


def within_topics(
    frame: Mapping[str, Collection[str]], sizes: Mapping[str, int], seed: int
) -> dict[str, tuple[str, ...]]:
    """The sampled passages of each topic, in random order: without replacement, each as likely as another of its topic.

    What is drawn in a topic depends on the seed and its own ids only, and a larger sample holds the smaller one.
    """
    return {
        topic: tuple(sorted(names, key=lambda name: (seeds.number(seed, "sample", topic, name, bits=256), name)))[
            : sizes[topic]
        ]
        for topic, names in frame.items()
    }


def whole_topics(topics: Collection[str], number: int, seed: int) -> tuple[str, ...]:
    """`number` of the topics, two or more, in random order. Raises ValueError where there are fewer."""
    if not LEAST <= number <= len(topics):
        raise ValueError(f"between {LEAST} and all {len(topics)} topics can be sampled, not {number}")
    return tuple(sorted(topics, key=lambda topic: (seeds.number(seed, "sample", topic, bits=256), topic))[:number])


def in_rounds(sample: Mapping[str, Collection[str]], seed: int) -> list[Pair]:
    """The sampled pairs in the order in which they are judged: first one pair of every topic, then a second of every
    topic, and so on, topics in a new random order in each round.

    So judging that ends early, at a number fixed beforehand, leaves every topic with nearly as many judged pairs as
    the others have; topic by topic it would leave whole topics without any.
    """
    rounds = (
        (place, seeds.number(seed, "round", topic, name), (topic, name))
        for topic, names in sample.items()
        for place, name in enumerate(names)
    )
    return [pair for *_, pair in sorted(rounds)]


def _bounded(wanted: int, there: int) -> int:
    return min(there, max(LEAST, wanted))


def of_each_grade(grades: Mapping[Pair, int], number: int, seed: int) -> dict[int, list[Pair]]:
    """By grade, `number` of the pairs that have it, or all there are, in random order."""
    drawn: dict[int, list[Pair]] = {grade: [] for grade in sorted(set(grades.values()))}
    for pair in sorted(grades, key=lambda pair: (seeds.number(seed, "reference", *pair, bits=256), pair)):
        if len(drawn[grades[pair]]) < number:
            drawn[grades[pair]].append(pair)
    return drawn

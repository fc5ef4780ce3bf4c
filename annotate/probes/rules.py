"""Pairs of a topic and a passage that was found for other topics only: none of them should be relevant."""

import itertools
from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set

from annotate.rules import seeds

Pair = tuple[str, str]


def draw(
    of_topics: Mapping[str, Set[str]], *, readable: Set[str], number: int, seed: int, asked: Set[str] | None = None
) -> list[Pair]:
    """At most `number` pairs, the topics in turn, fixed by the seed.

    `of_topics`: by topic the passages that were pooled or graded for it, which are never drawn for it. Only `readable`
    passages are drawn, each at most once a topic. Fewer come back where there are no more. `asked`: for these
    topics alone.
    """
    known = readable & set().union(*of_topics.values())
    order = sorted(known, key=lambda passage_id: seeds.number(seed, "passage", passage_id))
    topics = sorted(
        of_topics if asked is None else of_topics.keys() & asked,
        key=lambda query_id: seeds.number(seed, "topic", query_id),
    )
    walks = deque((query_id, _walk(order, of_topics[query_id], query_id, seed)) for query_id in topics)
    drawn: list[Pair] = []
    while walks and len(drawn) < number:
        query_id, walk = walks.popleft()
        if passage_id := next(walk, None):
            drawn.append((query_id, passage_id))
            walks.append((query_id, walk))
    return drawn


def _walk(order: Sequence[str], own: Set[str], query_id: str, seed: int) -> Iterator[str]:
    """All passages once that are not the topic's own, from a place on that the seed draws for it."""
    start = seeds.number(seed, "start", query_id) % max(1, len(order))
    return (passage_id for passage_id in itertools.chain(order[start:], order[:start]) if passage_id not in own)

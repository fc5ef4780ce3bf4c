"""Seeded choices of pairs: worked examples of each grade for a prompt, and passages of other topics for a probe."""

import itertools
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence, Set

from annotate.rules import drawing

Pair = tuple[str, str]
ANY = "ANY"
TOPIC = "TOPIC"
RELEVANT = "RELEVANT"


class Examples:
    """Judged pairs to choose from. `source` ANY takes them from all topics, TOPIC from that of the pair at hand, which
    leaks what its assessor thinks: say so where such grades are used. RELEVANT takes relevant ones of the pair's topic,
    `per_grade` in all.

    Holes cannot be among the examples: whoever makes this leaves them out of `grades`.
    """

    def __init__(self, grades: Mapping[Pair, int], *, per_grade: int, source: str, seed: int) -> None:
        self._per_grade = per_grade
        self._source = source
        self._by_grade: dict[tuple[str, int], list[Pair]] = defaultdict(list)
        for pair, grade in sorted(
            grades.items(), key=lambda judged: drawing.seeded_number(seed, "example", *judged[0])
        ):
            self._by_grade[self._shelf(pair), grade].append(pair)

    def choose(self, pair: Pair, scale: range) -> list[tuple[Pair, int]]:
        """The examples for a pair with their grades, from the highest grade down; never the pair itself.

        Fewer where there are fewer. For most pairs they are the same, so that a service can cache them.
        """
        chosen = []
        for grade in reversed(scale):
            others = [
                other for other in self._by_grade[self._shelf(pair), grade][: self._per_grade + 1] if other != pair
            ]
            chosen += [(other, grade) for other in others[: self._per_grade]]
        return chosen[: self._per_grade] if self._source == RELEVANT else chosen

    def _shelf(self, pair: Pair) -> str:
        return "" if self._source == ANY else pair[0]


def draw_foreign_pairs(
    of_topics: Mapping[str, Set[str]], *, readable: Set[str], number: int, seed: int, asked: Set[str] | None = None
) -> list[Pair]:
    """At most `number` pairs of a topic and a passage that was found for other topics only, so that none should be
    relevant: the topics in turn, fixed by the seed.

    `of_topics`: by topic the passages that were pooled or graded for it, which are never drawn for it. Only `readable`
    passages are drawn, each at most once a topic. Fewer come back where there are no more. `asked`: for these
    topics alone.
    """
    known = readable & set().union(*of_topics.values())
    order = sorted(known, key=lambda passage_id: drawing.seeded_number(seed, "passage", passage_id))
    topics = sorted(
        of_topics if asked is None else of_topics.keys() & asked,
        key=lambda query_id: drawing.seeded_number(seed, "topic", query_id),
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
    start = drawing.seeded_number(seed, "start", query_id) % max(1, len(order))
    return (passage_id for passage_id in itertools.chain(order[start:], order[:start]) if passage_id not in own)

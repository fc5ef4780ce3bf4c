"""In which order pairs are judged: one key a pair, shared by all assessors, smaller first."""

from collections.abc import Collection, Mapping

from annotate.rules import seeds

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


def order_key(order: str, seed: int, query_id: str, passage_id: str) -> int:
    """The place of a pair in the permutation that the seed fixes, in [0, 2**63).

    TOPIC keeps a topic's pairs together (topics in random order, pairs random within); RANDOM mixes all pairs. In a
    drawn order it is the place of a pair that the draw does not name: behind all that it names, mixed.
    """
    if order == TOPIC:
        within = seeds.number(seed, "pair", query_id, passage_id, bits=31)
        return seeds.number(seed, "topic", query_id, bits=31) << 31 | within
    mixed = seeds.number(seed, "all", query_id, passage_id, bits=62)
    if order == RANDOM:
        return mixed
    if order in DRAWN:
        return BEHIND | mixed
    raise ValueError(f"no such order: {order}")


def by_value(values: Mapping[Pair, float]) -> dict[Pair, int]:
    """Keys from 0 by falling value; of equal values the ids decide, by their bytes."""
    ranked = sorted(values, key=lambda pair: (-values[pair], pair[0].encode(), pair[1].encode()))
    return {pair: place for place, pair in enumerate(ranked)}


def mixed_in(pairs: Collection[Pair], places: int, seed: int) -> dict[Pair, int]:
    """Keys that scatter pairs evenly among `places` pairs whose keys are 0, 1, 2 ..."""
    return {pair: seeds.number(seed, "mixed in", *pair) % max(1, places) for pair in pairs}

"""In which order pairs are judged: one key a pair, shared by all assessors, smaller first."""

from annotate.rules import seeds

TOPIC = "TOPIC"
RANDOM = "RANDOM"


def order_key(order: str, seed: int, query_id: str, passage_id: str) -> int:
    """The place of a pair in the permutation that the seed fixes, in [0, 2**62).

    TOPIC keeps a topic's pairs together (topics in random order, pairs random within); RANDOM mixes all pairs.
    """
    within = seeds.number(seed, "pair", query_id, passage_id, bits=31)
    if order == TOPIC:
        return seeds.number(seed, "topic", query_id, bits=31) << 31 | within
    if order == RANDOM:
        return seeds.number(seed, "all", query_id, passage_id, bits=62)
    raise ValueError(f"no such order: {order}")

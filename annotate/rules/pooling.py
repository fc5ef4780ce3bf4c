"""The pool: every passage that some pooled run ranks within the depth, with its best rank."""

from collections.abc import Iterable, Mapping, Sequence


def pool(rankings: Iterable[Mapping[str, Sequence[str]]], depth: int) -> dict[tuple[str, str], int]:
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

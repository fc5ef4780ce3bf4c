"""How many judgments a pair is wanted to have: most pairs so many, a seeded share of them more."""

from annotate.rules import seeds


def target(usual: int, several: int, share: int, seed: int, *, query_id: str, passage_id: str) -> int:
    """`several` for `share` percent of the pairs, `usual` for the others.

    The seed fixes for a pair a point in [0, 100); the share takes the pairs below it. So a share that grows keeps the
    pairs that it had.
    """
    return several if 100 * seeds.share(seed, "several", query_id, passage_id) < share else usual

"""How much of one text's wording is in another, on stems that the caller has cut."""

from collections.abc import Collection


def share(of: Collection[str], within: Collection[str]) -> float | None:
    """The share in [0, 1] of the distinct stems of one text that are among those of another; None where it has none.

    >>> share(["hole", "gap"], ["the", "gap"]), share([], ["gap"])
    (0.5, None)
    """
    wanted = set(of)
    return len(wanted & set(within)) / len(wanted) if wanted else None


def jaccard(one: Collection[str], other: Collection[str]) -> float | None:
    """The distinct stems that both have among all that either has, in [0, 1]; None where neither has any.

    >>> jaccard(["hole", "gap"], ["gap", "text"]), jaccard([], [])
    (0.3333333333333333, None)
    """
    first, second = set(one), set(other)
    return len(first & second) / len(first | second) if first | second else None

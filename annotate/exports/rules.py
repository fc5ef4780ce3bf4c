"""How people came to the grade of a pair, in a word or two: what stands in the provenance of completed qrels."""

from collections.abc import Sequence

from annotate.rules import consensus

ADJUDICATED = "adjudicated"
UNANIMOUS = "unanimous"
UNRESOLVED = "unresolved"


def of_people(rule: str, grades: Sequence[int], *, is_adjudicated: bool = False) -> str:
    """`adjudicated` where somebody decided; `unanimous` where all grades are equal (one grade alone is); else the name
    of the consensus rule that gave a grade (`majority`, `median`, `maximum`); `unresolved` where it gave none.

    >>> of_people("MAJORITY", [2, 2, 1]), of_people("MAJORITY", [1, 2]), of_people("MEDIAN", [1, 2])
    ('majority', 'unresolved', 'median')
    """
    if is_adjudicated:
        return ADJUDICATED
    if consensus.consensus(rule, grades) is None:
        return UNRESOLVED
    return UNANIMOUS if len(set(grades)) == 1 else rule.lower()


def propagated(passage_id: str) -> str:
    """Of a near-duplicate, which has the grade of the pair that it duplicates."""
    return f"propagated from {passage_id}"

"""Traits of a query-passage pair by which a judge may be biased: passage length, query-term overlap."""

from annotate.retrieval import analysis


def length(passage: str) -> int:
    """How many words the passage has.

    >>> length("It joins the parts: os.path.join does.")
    6
    """
    return len(analysis.plain(passage))


def query_overlap(query: str, passage: str) -> float | None:
    """The share of the query's different stems, stop words left out, that the passage has; 0 to 1.

    None if nothing is left of the query.

    >>> query_overlap("how are lists sorted", "A list is sorted in place."), query_overlap("what is it", "A list.")
    (1.0, None)
    """
    wanted = set(analysis.stemmed(query))
    return len(wanted & set(analysis.stemmed(passage))) / len(wanted) if wanted else None

"""How many of a query's words its backstory repeats."""

from annotate.backstories import rules
from annotate.retrieval import analysis

MOST = 0.34
"""The share of the query's content words above which a model is asked again, and people are warned."""


def of(query: str, backstory: str) -> float | None:
    """The share in [0, 1] of the query's distinct stems, stop words left out, that the backstory holds; None for a
    query of stop words alone."""
    return rules.share(analysis.stemmed(query), analysis.stemmed(backstory))


def shared_words(query: str, backstory: str) -> list[str]:
    """The words of the query whose stems the backstory holds, each once, in their order."""
    there = set(analysis.stemmed(backstory))
    found = (word for word in analysis.plain(query) if there & set(analysis.stemmed(word)))
    return list(dict.fromkeys(found))

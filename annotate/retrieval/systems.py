"""The built-in retrieval systems, by name.

They serve the sample collection, and any collection whose owner has no runs yet: real systems, different
enough in what they take for a word, what they read and how they weigh it for a leaderboard to mean something.
"""

from collections.abc import Callable
from dataclasses import dataclass

from annotate.retrieval import scorers
from annotate.retrieval.inverted_index import Library


@dataclass(frozen=True)
class System:
    """`family` groups systems of one kind; `prepare` does what depends on the passages only, once."""

    name: str
    family: str
    description: str
    prepare: Callable[[Library], scorers.Scorer]


_ALL = (
    System("bm25", "BM25", "BM25 over stems (k1 0.9, b 0.4)", lambda library: scorers.prepare_bm25(library.index())),
    System(
        "bm25-short",
        "BM25",
        "BM25 that prefers short passages (k1 2, b 1)",
        lambda library: scorers.prepare_bm25(library.index(), k1=2.0, b=1.0),
    ),
    System(
        "bm25-words",
        "BM25",
        "BM25 over whole words, no stems, stop words kept",
        lambda library: scorers.prepare_bm25(library.index(terms="plain")),
    ),
    System(
        "bm25-rm3",
        "BM25",
        "BM25 with ten feedback terms from its first ten passages (RM3)",
        lambda library: scorers.prepare_rm3(library.index()),
    ),
    System("bm25-title", "BM25", "BM25 over titles only", lambda library: scorers.prepare_bm25(library.index("title"))),
    System(
        "bm25-lead",
        "BM25",
        "BM25 over first paragraphs only",
        lambda library: scorers.prepare_bm25(library.index("lead")),
    ),
    System("tfidf", "vector space", "TF-IDF and cosine", lambda library: scorers.prepare_tfidf(library.index())),
    System(
        "tfidf-grams",
        "vector space",
        "TF-IDF and cosine over strings of four characters",
        lambda library: scorers.prepare_tfidf(library.index(terms="grams")),
    ),
    System(
        "lsa-100",
        "latent semantics",
        "cosine among 100 latent dimensions of TF-IDF",
        lambda library: scorers.prepare_lsa(library.index(), dimensions=100),
    ),
    System(
        "lsa-300",
        "latent semantics",
        "cosine among 300 latent dimensions of TF-IDF",
        lambda library: scorers.prepare_lsa(library.index(), dimensions=300),
    ),
    System(
        "ql-dirichlet",
        "language model",
        "query likelihood, Dirichlet smoothing (mu 100)",
        lambda library: scorers.prepare_dirichlet(library.index()),
    ),
    System(
        "ql-jelinek-mercer",
        "language model",
        "query likelihood, Jelinek-Mercer smoothing (0.5)",
        lambda library: scorers.prepare_jelinek_mercer(library.index()),
    ),
    System(
        "coverage",
        "Boolean",
        "number of the query's terms in the passage, shorter passages first",
        lambda library: scorers.prepare_coverage(library.index()),
    ),
    System(
        "fusion",
        "fusion",
        "reciprocal rank fusion of bm25 and lsa-100",
        lambda library: scorers.prepare_fusion(
            [scorers.prepare_bm25(library.index()), scorers.prepare_lsa(library.index())]
        ),
    ),
)

SYSTEMS: dict[str, System] = {system.name: system for system in _ALL}


def search(name: str, library: Library, depth: int = 100) -> Callable[[str], list[tuple[str, float]]]:
    """What finds the best passages of a query with their scores, at most `depth`, best first.

    Scores are above 0, rounded to 9 decimals. What depends on the passages only is done here, once. Raises KeyError
    for a name that is not in `SYSTEMS`, ValueError for a library without passages.
    """
    if not library.passage_ids:
        raise ValueError("nothing to retrieve from: the library has no passages")
    scorer = SYSTEMS[name].prepare(library)
    return lambda query: scorers.top_passages(scorer(query), library.passage_ids, depth)

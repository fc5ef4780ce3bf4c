"""The built-in systems and how each scores passages."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from annotate.retrieval import inverted_index
from annotate.retrieval.inverted_index import InvertedIndex, Library

Scores: TypeAlias = NDArray[np.float64]
Scorer: TypeAlias = Callable[[str], Scores]


def top_passages(scores: Scores, passage_ids: list[str], depth: int) -> list[tuple[str, float]]:
    """The `depth` best (passage id, score) with a score above 0, best first.

    Equal scores are ordered by passage id, descending by UTF-8 bytes, as runs are everywhere in Lacuna.
    Scores are rounded to 9 decimals first: sums that differ by rounding only are ties on every machine.
    """
    rounded = np.round(scores, 9)
    places = np.flatnonzero(rounded > 0)
    if len(places) > depth:
        least = np.partition(rounded[places], -depth)[-depth]
        places = places[rounded[places] >= least]
    by_id = sorted(places, key=lambda place: passage_ids[place].encode(), reverse=True)
    best = sorted(by_id, key=lambda place: -rounded[place])[:depth]
    return [(passage_ids[place], float(rounded[place])) for place in best]


def prepare_bm25(index: InvertedIndex, k1: float = 0.9, b: float = 0.4) -> Scorer:
    """BM25 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond").

    With a large `k1` (from 0) repeated terms add up; `b` (0-1) is how much length matters.
    """
    weighted = weigh_bm25(index, k1, b)

    def score(text: str) -> Scores:
        return np.asarray(weighted @ index.query(text))

    return score


def weigh_bm25(index: InvertedIndex, k1: float = 0.9, b: float = 0.4) -> sparse.csr_array:
    """What each term of each passage adds to a score (passages x terms).

    idf is log(1 + (N - n + 0.5) / (n + 0.5)), which is never negative.
    """
    counts, lengths = index.counts, index.passage_lengths
    frequencies = index.passage_frequencies
    idf = np.log1p((len(lengths) - frequencies + 0.5) / (frequencies + 0.5))
    # A field that is empty in all passages has a mean of 0, and no terms to weigh.
    norms = k1 * (1 - b + b * lengths / (lengths.mean() or 1))
    saturated = counts.data * (k1 + 1) / (counts.data + norms[inverted_index.row_of_each_value(counts)])
    return inverted_index.with_values(counts, saturated * idf[counts.indices])


def prepare_coverage(index: InvertedIndex) -> Scorer:
    """Coordination: how many different terms of the query a passage holds; of equals the shorter comes first."""
    counts = index.counts
    present = inverted_index.with_values(counts, np.ones_like(counts.data))
    brevity = 1 / (2 + index.passage_lengths)

    def score(text: str) -> Scores:
        held = np.asarray(present @ (index.query(text) > 0).astype(np.float64))
        return np.where(held > 0, held + brevity, 0)

    return score


def prepare_fusion(scorers: list[Scorer], k: int = 60) -> Scorer:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): the sum of 1 / (k + rank) over the given scorers.

    Where a passage scores 0 it gets nothing.
    """

    def score(text: str) -> Scores:
        return np.asarray(np.sum([_reciprocals(scorer(text), k) for scorer in scorers], axis=0))

    return score


def _reciprocals(scores: Scores, k: int) -> Scores:
    """1 / (k + rank) of each passage; equal scores share the best rank among them: no order is made up."""
    rounded = np.round(scores, 9)
    ascending = np.sort(rounded)
    ranks = len(rounded) - np.searchsorted(ascending, rounded, side="right") + 1
    return np.where(rounded > 0, 1 / (k + ranks), 0)


def prepare_dirichlet(index: InvertedIndex, mu: float = 100.0) -> Scorer:
    """Query likelihood (Zhai and Lafferty 2004) with Dirichlet smoothing.

    `mu` (above 0) is the weight of the collection, in terms. Scores are log-likelihood ratios against the language of
    the collection; a passage without any of the query's terms has 0.
    """
    counts, lengths = index.counts, index.passage_lengths
    gains = np.log1p(counts.data / (mu * _language(index)[counts.indices]))
    weights = inverted_index.with_values(counts, gains)
    penalties = np.log(mu / (mu + lengths))

    def score(text: str) -> Scores:
        query = index.query(text)
        matched = np.asarray(weights @ query)
        return np.where(matched > 0, _shifted(matched + query.sum() * penalties), 0)

    return score


def prepare_jelinek_mercer(index: InvertedIndex, mixture: float = 0.5) -> Scorer:
    """The same with linear smoothing: `mixture` (between 0 and 1) is the part of the collection."""
    counts, lengths = index.counts, index.passage_lengths
    in_passage = counts.data / lengths[inverted_index.row_of_each_value(counts)]
    gains = np.log1p((1 - mixture) / mixture * in_passage / _language(index)[counts.indices])
    weights = inverted_index.with_values(counts, gains)

    def score(text: str) -> Scores:
        return np.asarray(weights @ index.query(text))

    return score


def _language(index: InvertedIndex) -> NDArray[np.float64]:
    """The share of each term among all terms of the collection."""
    totals = np.asarray(index.counts.sum(axis=0), dtype=np.float64)
    return np.asarray(totals / totals.sum())


def _shifted(scores: Scores) -> Scores:
    """Scores moved so that the least is just above 0: ratios may be negative, and 0 means not retrieved."""
    return np.asarray(scores - scores.min() + 1e-6)


def prepare_tfidf(index: InvertedIndex) -> Scorer:
    """TF-IDF and the cosine of the angle, 0-1 (Salton and Buckley 1988, the `ltc.ltc` weighting)."""
    weights = weigh_tfidf(index)

    def score(text: str) -> Scores:
        return np.asarray(weights @ weigh_query(index, text))

    return score


def weigh_tfidf(index: InvertedIndex) -> sparse.csr_array:
    """The weights (1 + log tf) x idf of all passages, each row of length 1 (0 where there are no terms)."""
    counts = index.counts
    values = (1 + np.log(counts.data)) * inverse_frequencies(index)[counts.indices]
    squares = np.bincount(inverted_index.row_of_each_value(counts), weights=values**2, minlength=counts.shape[0])
    return inverted_index.with_values(counts, values / np.sqrt(squares)[inverted_index.row_of_each_value(counts)])


def weigh_query(index: InvertedIndex, text: str) -> NDArray[np.float64]:
    """The weights of a query in the same space, of length 1, or all 0 where no passage holds a term of it."""
    counts = index.query(text)
    weights = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * inverse_frequencies(index)
    length = np.linalg.norm(weights)
    return weights / length if length > 0 else weights


def inverse_frequencies(index: InvertedIndex) -> NDArray[np.float64]:
    """1 + log(N / n) of each term: 1 for a term of every passage."""
    return 1 + np.log(index.counts.shape[0] / index.passage_frequencies)


def prepare_lsa(index: InvertedIndex, dimensions: int = 100) -> Scorer:
    """Latent semantic analysis (Deerwester et al. 1990): the cosine among the first singular vectors of TF-IDF.

    There are fewer dimensions where the matrix has no more to give. The decomposition is the randomized one with a
    fixed seed: the same passages give the same scores.
    """
    weights = weigh_tfidf(index)
    axes = _axes(weights, min(dimensions, *weights.shape))
    reduced = _directions(np.asarray(weights @ axes))

    def score(text: str) -> Scores:
        return np.asarray(reduced @ _directions(weigh_query(index, text) @ axes))

    return score


def _axes(weights: sparse.csr_array, dimensions: int) -> NDArray[np.float64]:
    """The first right singular vectors as columns, terms x dimensions.

    On one thread: on these sizes several only wait for each other, twenty times slower on a busy machine.
    """
    from sklearn.utils.extmath import randomized_svd
    from threadpoolctl import threadpool_limits

    if dimensions == 0:
        return np.zeros((weights.shape[1], 0))
    with threadpool_limits(limits=1):
        _, _, right = randomized_svd(sparse.csr_matrix(weights), dimensions, n_iter=4, random_state=0)
    return np.asarray(right.T)


def _directions(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Vectors of length 1 along the last axis; a null vector stays null."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 1e-12, lengths, 1))


def prepare_rm3(index: InvertedIndex, passages: int = 10, terms: int = 10, original: float = 0.6) -> Scorer:
    """BM25 with pseudo-relevance feedback by RM3 (Lavrenko and Croft 2001; Abdul-Jaleel et al. 2004).

    The first `passages` of a first search give `terms` terms that are added to the query for a second one; its own keep
    the share `original` (0-1).
    """
    weights = weigh_bm25(index)
    shares = index.counts.data / index.passage_lengths[inverted_index.row_of_each_value(index.counts)]
    models = inverted_index.with_values(index.counts, shares)

    def score(text: str) -> Scores:
        query = index.query(text)
        first = np.asarray(weights @ query)
        if not first.any():
            return first
        best = np.argsort(-np.round(first, 9), kind="stable")[:passages]
        added = _keep_largest(np.asarray(first[best] @ models[best]), terms)
        return np.asarray(weights @ (original * query / query.sum() + (1 - original) * added / added.sum()))

    return score


def _keep_largest(values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """The largest values, the others set to 0."""
    kept = np.zeros_like(values)
    places = np.argsort(-np.round(values, 12), kind="stable")[:count]
    kept[places] = values[places]
    return kept


@dataclass(frozen=True)
class System:
    """`family` groups systems of one kind; `prepare` does what depends on the passages only, once."""

    name: str
    family: str
    description: str
    prepare: Callable[[Library], Scorer]


_ALL = (
    System("bm25", "BM25", "BM25 over stems (k1 0.9, b 0.4)", lambda library: prepare_bm25(library.index())),
    System(
        "bm25-short",
        "BM25",
        "BM25 that prefers short passages (k1 2, b 1)",
        lambda library: prepare_bm25(library.index(), k1=2.0, b=1.0),
    ),
    System(
        "bm25-words",
        "BM25",
        "BM25 over whole words, no stems, stop words kept",
        lambda library: prepare_bm25(library.index(terms="plain")),
    ),
    System(
        "bm25-rm3",
        "BM25",
        "BM25 with ten feedback terms from its first ten passages (RM3)",
        lambda library: prepare_rm3(library.index()),
    ),
    System("bm25-title", "BM25", "BM25 over titles only", lambda library: prepare_bm25(library.index("title"))),
    System("bm25-lead", "BM25", "BM25 over first paragraphs only", lambda library: prepare_bm25(library.index("lead"))),
    System("tfidf", "vector space", "TF-IDF and cosine", lambda library: prepare_tfidf(library.index())),
    System(
        "tfidf-grams",
        "vector space",
        "TF-IDF and cosine over strings of four characters",
        lambda library: prepare_tfidf(library.index(terms="grams")),
    ),
    System(
        "lsa-100",
        "latent semantics",
        "cosine among 100 latent dimensions of TF-IDF",
        lambda library: prepare_lsa(library.index(), dimensions=100),
    ),
    System(
        "lsa-300",
        "latent semantics",
        "cosine among 300 latent dimensions of TF-IDF",
        lambda library: prepare_lsa(library.index(), dimensions=300),
    ),
    System(
        "ql-dirichlet",
        "language model",
        "query likelihood, Dirichlet smoothing (mu 100)",
        lambda library: prepare_dirichlet(library.index()),
    ),
    System(
        "ql-jelinek-mercer",
        "language model",
        "query likelihood, Jelinek-Mercer smoothing (0.5)",
        lambda library: prepare_jelinek_mercer(library.index()),
    ),
    System(
        "coverage",
        "Boolean",
        "number of the query's terms in the passage, shorter passages first",
        lambda library: prepare_coverage(library.index()),
    ),
    System(
        "fusion",
        "fusion",
        "reciprocal rank fusion of bm25 and lsa-100",
        lambda library: prepare_fusion([prepare_bm25(library.index()), prepare_lsa(library.index())]),
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
    return lambda query: top_passages(scorer(query), library.passage_ids, depth)

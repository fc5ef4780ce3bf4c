"""Query likelihood: how probable a passage's language model makes the query (Zhai and Lafferty 2004).

Scores are log-likelihood ratios against the language of the collection; a passage without any of the
query's terms has 0.
"""

import numpy as np
from numpy.typing import NDArray

from annotate.retrieval import inverted
from annotate.retrieval.scoring import Scorer, Scores


def prepare_dirichlet(index: inverted.Inverted, mu: float = 100.0) -> Scorer:
    """A scorer with Dirichlet smoothing: `mu` (above 0) is the weight of the collection, in terms."""
    counts, lengths = index.counts, index.passage_lengths
    gains = np.log1p(counts.data / (mu * _language(index)[counts.indices]))
    weights = inverted.scaled(counts, gains)
    penalties = np.log(mu / (mu + lengths))

    def score(text: str) -> Scores:
        query = index.query(text)
        matched = np.asarray(weights @ query)
        return np.where(matched > 0, _shifted(matched + query.sum() * penalties), 0)

    return score


def prepare_jelinek_mercer(index: inverted.Inverted, mixture: float = 0.5) -> Scorer:
    """A scorer with linear smoothing: `mixture` (between 0 and 1) is the part of the collection."""
    counts, lengths = index.counts, index.passage_lengths
    in_passage = counts.data / lengths[inverted.rows(counts)]
    gains = np.log1p((1 - mixture) / mixture * in_passage / _language(index)[counts.indices])
    weights = inverted.scaled(counts, gains)

    def score(text: str) -> Scores:
        return np.asarray(weights @ index.query(text))

    return score


def _language(index: inverted.Inverted) -> NDArray[np.float64]:
    """The share of each term among all terms of the collection."""
    totals = np.asarray(index.counts.sum(axis=0), dtype=np.float64)
    return np.asarray(totals / totals.sum())


def _shifted(scores: Scores) -> Scores:
    """Scores moved so that the least is just above 0: ratios may be negative, and 0 means not retrieved."""
    return np.asarray(scores - scores.min() + 1e-6)

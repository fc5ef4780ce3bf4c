"""An inverted index: how often each term stands in each passage, as a sparse matrix."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from annotate.retrieval.analysis import Analysis


@dataclass(frozen=True)
class Inverted:
    """`counts` is passages x terms (CSR, float64); `column` gives the column of a term."""

    analysis: Analysis
    column: dict[str, int]
    counts: sparse.csr_array

    @property
    def passage_lengths(self) -> NDArray[np.float64]:
        """The number of terms of each passage."""
        return np.asarray(self.counts.sum(axis=1), dtype=np.float64)

    @property
    def passage_frequencies(self) -> NDArray[np.float64]:
        """The number of passages that hold each term; at least 1, since a term comes from a passage."""
        return np.bincount(self.counts.indices, minlength=len(self.column)).astype(np.float64)

    def query(self, text: str) -> NDArray[np.float64]:
        """How often each known term stands in a query. Terms that no passage holds are left out."""
        vector = np.zeros(len(self.column))
        for term, count in Counter(self.analysis(text)).items():
            if term in self.column:
                vector[self.column[term]] = count
        return vector


def build(texts: Iterable[str], analysis: Analysis) -> Inverted:
    """The index of some texts, one row each in their order; columns are terms by first occurrence."""
    column: dict[str, int] = {}
    rows, columns, counts = [], [], []
    size = 0
    for row, text in enumerate(texts):
        size = row + 1
        for term, count in Counter(analysis(text)).items():
            rows.append(row)
            columns.append(column.setdefault(term, len(column)))
            counts.append(float(count))
    matrix = sparse.csr_array((counts, (rows, columns)), shape=(size, len(column)), dtype=np.float64)
    matrix.sum_duplicates()
    return Inverted(analysis, column, matrix)


def scaled(counts: sparse.csr_array, values: NDArray[np.float64]) -> sparse.csr_array:
    """A matrix with other values at the places where `counts` has its own."""
    return sparse.csr_array((values, counts.indices, counts.indptr), shape=counts.shape)


def rows(counts: sparse.csr_array) -> NDArray[np.intp]:
    """The passage of each stored value, in the order of `counts.data`."""
    return np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))

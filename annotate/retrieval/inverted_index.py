"""Inverted indexes of passages: how often each term stands in each passage, for each field and analysis."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from annotate.formats.records import Passage
from annotate.retrieval import analysis as retrieval_analysis
from annotate.retrieval.analysis import Analysis


@dataclass(frozen=True)
class InvertedIndex:
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


def build_index(texts: Iterable[str], analysis: Analysis) -> InvertedIndex:
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
    return InvertedIndex(analysis, column, matrix)


def with_values(counts: sparse.csr_array, values: NDArray[np.float64]) -> sparse.csr_array:
    """A matrix with other values at the places where `counts` has its own."""
    return sparse.csr_array((values, counts.indices, counts.indptr), shape=counts.shape)


def row_of_each_value(counts: sparse.csr_array) -> NDArray[np.intp]:
    """The passage of each stored value, in the order of `counts.data`."""
    return np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))


ANALYSES: dict[str, retrieval_analysis.Analysis] = {
    "plain": retrieval_analysis.plain,
    "stemmed": retrieval_analysis.stemmed,
    "grams": retrieval_analysis.character_grams,
}


class Library:
    """Passages to retrieve from. Indexes are shared between systems, so each is built once."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = passages
        self.passage_ids = [passage.passage_id for passage in passages]
        self._indexes: dict[tuple[str, str], InvertedIndex] = {}

    def index(self, field: str = "whole", terms: str = "stemmed") -> InvertedIndex:
        """The index of a field (`whole`, `title`, `lead`) by an analysis (`plain`, `stemmed`, `grams`)."""
        key = (field, terms)
        if key not in self._indexes:
            texts = [field_text(passage, field) for passage in self.passages]
            self._indexes[key] = build_index(texts, ANALYSES[terms])
        return self._indexes[key]


def field_text(passage: Passage, field: str) -> str:
    """One field of a passage as text: its title, its first paragraph (`lead`), or title and text (`whole`)."""
    if field == "title":
        return passage.title
    if field == "lead":
        return passage.text.split("\n\n", 1)[0]
    if field == "whole":
        return f"{passage.title}\n{passage.text}"
    raise ValueError(f"no field {field!r}: whole, title or lead")

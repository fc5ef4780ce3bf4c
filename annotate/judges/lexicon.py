"""Stems of a set of passages: which occur where, and how rare each one is."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from annotate.judges import words


class Lexicon(NamedTuple):
    """Stems counted over n passages with v different stems."""

    columns: dict[str, int]
    counts: Any  # sparse (n, v): how often each stem occurs in each passage
    positions: list[NDArray[np.int32]]  # the columns of each passage's stems, in the order of its text
    lengths: NDArray[np.float64]  # (n,), in words
    frequency: NDArray[np.int64]  # (v,), how many passages have each stem
    idf: NDArray[np.float64]  # (v,), ln(1 + (n - df + 1/2) / (df + 1/2)), always positive


def build(texts: Sequence[str]) -> Lexicon:
    """Counts the stems of `texts`. Empty texts are rows without stems."""
    columns: dict[str, int] = {}
    positions = [
        np.array([columns.setdefault(words.stem(word), len(columns)) for word in words.split(text)], np.int32)
        for text in texts
    ]
    counts = _counts(positions, len(columns))
    lengths = np.array([len(row) for row in positions], float)
    df = np.bincount(counts.indices, minlength=len(columns))
    idf = np.log1p((len(texts) - df + 0.5) / (df + 0.5))
    return Lexicon(columns, counts, positions, lengths, df, idf)


def known(lexicon: Lexicon, text: str) -> list[int]:
    """Columns of the different stems of `text` that occur in some passage, in the order of the text."""
    stems = dict.fromkeys(map(words.stem, words.split(text)))
    return [lexicon.columns[stem] for stem in stems if stem in lexicon.columns]


def _counts(positions: Sequence[NDArray[np.int32]], width: int) -> Any:
    ends = np.cumsum([0, *(len(row) for row in positions)])
    flat = np.concatenate([*positions, np.empty(0, np.int32)])
    counts = sp.csr_array((np.ones(len(flat)), flat, ends), shape=(len(positions), width))
    counts.sum_duplicates()
    return counts

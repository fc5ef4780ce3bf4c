"""Character n-grams of texts as unit tf-idf vectors: the same wording in any script, misspelt or not."""

import itertools
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

_LENGTHS = (3, 4, 5)
_BITS = 20
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: Fibonacci hashing


class CharGrams(NamedTuple):
    """The vectors of n passages, and what turns another text into one."""

    vectors: Any  # sparse (n, 2^20), rows of length 1; an empty text is a zero row
    idf: NDArray[np.float32]  # (2^20,)


def build(texts: Sequence[str]) -> CharGrams:
    """(1 + ln tf) x idf of the 3- to 5-grams of `texts`.

    They are hashed, so that memory is what the rows need and not a dictionary of millions of strings.
    """
    counted = _stacked(texts)
    df = np.zeros(1 << _BITS, np.float32)
    for start, end in itertools.pairwise(counted.ends):
        df[counted.columns[start:end]] += 1
    idf = 1 + np.log((1 + len(texts)) / (1 + df))
    return CharGrams(_rows(counted, idf), idf)


def vectors(grams: CharGrams, texts: Sequence[str]) -> Any:
    """Sparse (n, 2^20) rows of other texts, to compare with those of the passages."""
    return _rows(_stacked(texts), grams.idf)


class _Counted(NamedTuple):
    """The different buckets of n texts, one text after the other, and 1 + ln of how often each occurs in its text."""

    columns: NDArray[np.int32]
    weights: NDArray[np.float32]
    ends: NDArray[np.int64]  # (n + 1,)


def _stacked(texts: Sequence[str]) -> _Counted:
    columns, weights, ends = array("i"), array("f"), [0]
    for text in texts:
        found, tf = _counted(text)
        columns.frombytes(found.tobytes())
        weights.frombytes(tf.tobytes())
        ends.append(len(columns))
    return _Counted(np.frombuffer(columns, np.int32), np.frombuffer(weights, np.float32), np.array(ends))


def _rows(counted: _Counted, idf: NDArray[np.float32]) -> Any:
    weights = counted.weights * idf[counted.columns]
    for start, end in itertools.pairwise(counted.ends):
        row = weights[start:end]
        row /= np.sqrt(row @ row) or 1
    return sp.csr_array((weights, counted.columns, counted.ends), shape=(len(counted.ends) - 1, len(idf)))


def _counted(text: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The different buckets of a text and 1 + ln of how often each occurs."""
    found, counts = np.unique(_buckets(text), return_counts=True)
    return found, (1 + np.log(counts)).astype(np.float32)


def _buckets(text: str) -> NDArray[np.int32]:
    codes = _codes(text)
    return np.concatenate([_hashed(codes, length) for length in _LENGTHS])


def _codes(text: str) -> NDArray[np.uint64]:
    """Code points of the lower-cased text, white space run together, a space at both ends."""
    spaced = f" {' '.join(text.lower().split())} " if text.strip() else ""
    return np.frombuffer(spaced.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)


def _hashed(codes: NDArray[np.uint64], length: int) -> NDArray[np.int32]:
    count = max(len(codes) - length + 1, 0)
    value = np.full(count, length, np.uint64)
    for offset in range(length):
        value = (value ^ codes[offset : offset + count]) * _FACTOR
    return (value >> np.uint64(64 - _BITS)).astype(np.int32)

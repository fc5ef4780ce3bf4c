"""Character n-grams of texts as unit tf-idf vectors: the same wording is seen in any script, misspelt or not."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

_LENGTHS = (3, 4, 5)
_BITS = 20
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: Fibonacci hashing


def vectors(texts: Sequence[str]) -> Any:
    """Sparse (n, 2^20) rows of length 1: (1 + ln tf) x idf of the 3- to 5-grams. An empty text is a zero row.

    The n-grams are hashed, so that memory is what the rows need and not a dictionary of millions of strings.
    """
    rows = [np.unique(_buckets(text), return_counts=True) for text in texts]
    columns = np.concatenate([*(found for found, _ in rows), np.empty(0, np.int32)])
    tf = np.concatenate([*(counts for _, counts in rows), np.empty(0, np.int64)]).astype(np.float32)
    sizes = np.array([len(found) for found, _ in rows], int)
    df = np.bincount(columns, minlength=1 << _BITS).astype(np.float32)
    weights = (1 + np.log(tf)) * (1 + np.log((1 + len(texts)) / (1 + df[columns])))
    owner = np.repeat(np.arange(len(texts)), sizes)
    weights /= np.sqrt(np.bincount(owner, weights**2, len(texts)))[owner]
    ends = np.concatenate([[0], np.cumsum(sizes)])
    return sp.csr_array((weights.astype(np.float32), columns, ends), shape=(len(texts), 1 << _BITS))


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

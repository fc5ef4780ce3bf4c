"""Passages as stems, as latent semantic vectors and as character n-grams, in any script.

Latent vectors of texts on one subject are close though they share few words: truncated singular value decomposition of
tf-idf, Deerwester et al. 1990, Indexing by latent semantic analysis, JASIS 41(6). Character n-grams are unit tf-idf
vectors: the same wording, misspelt or not.
"""

import itertools
import re
import unicodedata
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

# Scripts written without spaces (kana, Han, Thai, Lao, Myanmar, Khmer): each character stands for itself.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
# Marks that Python's `\w` leaves out though they belong inside Hebrew, Arabic and Indic words.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u065f\u0900-\u0963\u0966-\u0dff"
_WORD = re.compile(f"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[\\w{_MARKS}])+")


def split_words(text: str) -> list[str]:
    """The words of `text` in order, normalised (NFKC) and case-folded; punctuation is left out."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def stem_word(word: str) -> str:
    """`word` without its last letters when it is long, so that its inflections meet in any language.

    Plain truncation to six characters: the simplest conflation that needs no language.
    """
    return word[:6]


class Lexicon(NamedTuple):
    """Stems counted over n passages with v different stems."""

    columns: dict[str, int]
    counts: Any  # sparse (n, v): how often each stem occurs in each passage
    positions: list[NDArray[np.int32]]  # the columns of each passage's stems, in the order of its text
    lengths: NDArray[np.float64]  # (n,), in words
    frequency: NDArray[np.int64]  # (v,), how many passages have each stem
    idf: NDArray[np.float64]  # (v,), ln(1 + (n - df + 1/2) / (df + 1/2)), always positive


def build_lexicon(texts: Sequence[str]) -> Lexicon:
    """Counts the stems of `texts`. Empty texts are rows without stems."""
    columns: dict[str, int] = {}
    positions = [
        np.array([columns.setdefault(stem_word(word), len(columns)) for word in split_words(text)], np.int32)
        for text in texts
    ]
    counts = _count_stems(positions, len(columns))
    lengths = np.array([len(row) for row in positions], float)
    df = np.bincount(counts.indices, minlength=len(columns))
    idf = np.log1p((len(texts) - df + 0.5) / (df + 0.5))
    return Lexicon(columns, counts, positions, lengths, df, idf)


def find_known_columns(lexicon: Lexicon, text: str) -> list[int]:
    """Columns of the different stems of `text` that occur in some passage, in the order of the text."""
    stems = dict.fromkeys(map(stem_word, split_words(text)))
    return [lexicon.columns[stem] for stem in stems if stem in lexicon.columns]


def _count_stems(positions: Sequence[NDArray[np.int32]], width: int) -> Any:
    ends = np.cumsum([0, *(len(row) for row in positions)])
    flat = np.concatenate([*positions, np.empty(0, np.int32)])
    counts = sp.csr_array((np.ones(len(flat)), flat, ends), shape=(len(positions), width))
    counts.sum_duplicates()
    return counts


_DIMENSIONS = 200


class LatentSpace(NamedTuple):
    """Unit vectors of n passages in d dimensions, and the projection that makes one from v stems."""

    vectors: NDArray[np.float64]  # (n, d)
    projection: NDArray[np.float64]  # (v, d)


def build_latent_space(lexicon: Lexicon, seed: int) -> LatentSpace:
    """At most 200 dimensions; none (d = 0) with fewer than two passages or two stems."""
    from sklearn.utils.extmath import randomized_svd

    weights = lexicon.counts.copy()
    dimensions = min(_DIMENSIONS, min(weights.shape) - 1)
    if dimensions < 1:
        return LatentSpace(np.zeros((weights.shape[0], 0)), np.zeros((weights.shape[1], 0)))
    owner = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))
    weights.data = (1 + np.log(weights.data)) * lexicon.idf[weights.indices]
    weights.data /= np.sqrt(np.bincount(owner, weights.data**2, weights.shape[0]))[owner]
    projection = randomized_svd(weights, dimensions, n_iter=5, random_state=seed)[2].T
    return LatentSpace(_unit_vectors(weights @ projection), projection)


def project_text(space: LatentSpace, lexicon: Lexicon, columns: Sequence[int]) -> NDArray[np.float64]:
    """The unit vector (d,) of a text that has each of the stems `columns` once."""
    chosen = np.array(columns, int)
    return _unit_vectors(lexicon.idf[chosen] @ space.projection[chosen])


def _unit_vectors(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1)


_LENGTHS = (3, 4, 5)
_BITS = 20
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: Fibonacci hashing


class CharGrams(NamedTuple):
    """The vectors of n passages, and what turns another text into one."""

    vectors: Any  # sparse (n, 2^20), rows of length 1; an empty text is a zero row
    idf: NDArray[np.float32]  # (2^20,)


def build_char_grams(texts: Sequence[str]) -> CharGrams:
    """(1 + ln tf) x idf of the 3- to 5-grams of `texts`.

    They are hashed, so that memory is what the rows need and not a dictionary of millions of strings.
    """
    counted = _count_texts(texts)
    df = np.zeros(1 << _BITS, np.float32)
    for start, end in itertools.pairwise(counted.ends):
        df[counted.columns[start:end]] += 1
    idf = 1 + np.log((1 + len(texts)) / (1 + df))
    return CharGrams(_weighted_rows(counted, idf), idf)


def vectorize_texts(grams: CharGrams, texts: Sequence[str]) -> Any:
    """Sparse (n, 2^20) rows of other texts, to compare with those of the passages."""
    return _weighted_rows(_count_texts(texts), grams.idf)


class _Counted(NamedTuple):
    """The different buckets of n texts, one text after the other, and 1 + ln of how often each occurs in its text."""

    columns: NDArray[np.int32]
    weights: NDArray[np.float32]
    ends: NDArray[np.int64]  # (n + 1,)


def _count_texts(texts: Sequence[str]) -> _Counted:
    columns, weights, ends = array("i"), array("f"), [0]
    for text in texts:
        buckets, tf = _count_buckets(text)
        columns.frombytes(buckets.tobytes())
        weights.frombytes(tf.tobytes())
        ends.append(len(columns))
    return _Counted(np.frombuffer(columns, np.int32), np.frombuffer(weights, np.float32), np.array(ends))


def _weighted_rows(counted: _Counted, idf: NDArray[np.float32]) -> Any:
    weights = counted.weights * idf[counted.columns]
    for start, end in itertools.pairwise(counted.ends):
        row = weights[start:end]
        row /= np.sqrt(row @ row) or 1
    return sp.csr_array((weights, counted.columns, counted.ends), shape=(len(counted.ends) - 1, len(idf)))


def _count_buckets(text: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The different buckets of a text and 1 + ln of how often each occurs."""
    buckets, counts = np.unique(_buckets(text), return_counts=True)
    return buckets, (1 + np.log(counts)).astype(np.float32)


def _buckets(text: str) -> NDArray[np.int32]:
    codes = _code_points(text)
    return np.concatenate([_hash_grams(codes, length) for length in _LENGTHS])


def _code_points(text: str) -> NDArray[np.uint64]:
    """Code points of the lower-cased text, white space run together, a space at both ends."""
    spaced = f" {' '.join(text.lower().split())} " if text.strip() else ""
    return np.frombuffer(spaced.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)


def _hash_grams(codes: NDArray[np.uint64], length: int) -> NDArray[np.int32]:
    count = max(len(codes) - length + 1, 0)
    value = np.full(count, length, np.uint64)
    for offset in range(length):
        value = (value ^ codes[offset : offset + count]) * _FACTOR
    return (value >> np.uint64(64 - _BITS)).astype(np.int32)

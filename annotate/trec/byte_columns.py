"""Columns between single spaces or tabs, cut from the bytes of many lines at once."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from annotate.trec import ids

_PLAIN = bytes(range(0x21, 0x7F)) + b" \n"
_IN_NUMBERS = np.isin(np.arange(256), np.frombuffer(b"\x000123456789+-.eE", np.uint8))
_WORD = np.dtype("<u8")

Places = npt.NDArray[np.intp]
Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class ByteColumns:
    """n lines of columns: the value of line i in column c is `data[starts[c, i]:ends[c, i]]`, never empty."""

    data: bytes
    starts: Places
    ends: Places

    def texts(self, column: int, lines: Places) -> list[str]:
        """The values of a column on the given lines."""
        starts, ends = self.starts[column, lines].tolist(), self.ends[column, lines].tolist()
        return [self.data[start:end].decode() for start, end in zip(starts, ends, strict=True)]

    def words(self, column: int) -> Words:
        """The values of a column as rows of eight bytes, filled up with NUL; two are equal if their rows are."""
        return self._cells(column).view(_WORD)

    def numbers(self, column: int) -> npt.NDArray[np.float64] | None:
        """The values of a column as doubles, or None when one is not a finite number."""
        cells = self._cells(column)
        if not _IN_NUMBERS[cells].all():
            return None
        try:
            numbers = cells.view(f"S{cells.shape[1]}").ravel().astype(np.float64)
        except ValueError:
            return None
        return numbers if np.isfinite(numbers).all() else None

    def _cells(self, column: int) -> npt.NDArray[np.uint8]:
        lengths = self.ends[column] - self.starts[column]
        width = -(-int(lengths.max()) // _WORD.itemsize) * _WORD.itemsize
        padded = np.frombuffer(self.data + bytes(width), np.uint8)
        cells = sliding_window_view(padded, width)[self.starts[column]]
        cells[np.arange(width) >= lengths[:, np.newaxis]] = 0
        return cells


def cut(data: bytes, n_columns: int) -> ByteColumns | None:
    """The columns of all lines; None where a line has not so many, a value is longer than an id or a character odd.

    What is printable but for the white space between columns has nothing in it that an id cannot have.
    """
    data = data.replace(b"\r\n", b"\n").replace(b"\t", b" ")
    data = data if data.endswith(b"\n") else data + b"\n"
    if not _is_printable(data):
        return None
    raw = np.frombuffer(data, np.uint8)
    gaps = np.flatnonzero(raw <= ord(" "))
    if len(gaps) != data.count(b"\n") * n_columns:
        return None
    starts, ends = _in_columns(np.concatenate(([0], gaps[:-1] + 1)), n_columns), _in_columns(gaps, n_columns)
    lengths = ends - starts
    is_regular = (raw[ends[-1]] == ord("\n")).all() and lengths.min() > 0 and lengths.max() <= ids.MAX_BYTES
    return ByteColumns(data, starts, ends) if is_regular else None


def _in_columns(places: Places, n_columns: int) -> Places:
    return np.ascontiguousarray(places.reshape(-1, n_columns).T)


def _is_printable(data: bytes) -> bool:
    if data.isascii():
        return not data.translate(None, _PLAIN)
    try:
        return data.decode().replace("\n", " ").isprintable()
    except UnicodeDecodeError:
        return False

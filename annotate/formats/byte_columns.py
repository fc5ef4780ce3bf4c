"""Columns between single spaces or tabs, cut from the bytes of many lines at once, and their numbers."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotate.formats import records

_WORD = np.dtype("<u8")
_ZEROS = np.uint64(0x3030303030303030)
_HIGH_BITS = np.uint64(0x8080808080808080)
_TO_HIGH_BIT = np.uint64(0x7676767676767676)
_LAST_BYTES = np.array([(1 << 64) - (1 << 8 * (8 - n)) for n in range(9)], dtype=_WORD)
_POWERS = 10 ** np.arange(9, dtype=np.uint64)
# Neighbours are joined to one number: digits to pairs, pairs to fours, fours to eights.
_JOINTS = [
    (np.uint64(bits), np.uint64(base), np.uint64(mask))
    for bits, base, mask in ((8, 10, 0x00FF00FF00FF00FF), (16, 100, 0x0000FFFF0000FFFF), (32, 10_000, 0xFFFFFFFF))
]

Places = npt.NDArray[np.intp]
Words = npt.NDArray[np.uint64]


def read_decimals(data: bytes, starts: Places, ends: Places) -> npt.NDArray[np.float64] | None:
    """The decimals that stand in the data from each start to each end, to the last bit as `float` reads them.

    None where one is not plain: a minus or none, one to eight digits, a point, one to eight digits; or where there
    are other points in the data. The digits are a whole number below 2**53, which a double holds exactly, as it
    does the power of ten: so their quotient is rounded once (Clinger, PLDI 1990).
    """
    raw = np.frombuffer(data, np.uint8)
    points = np.flatnonzero(raw == ord("."))
    if len(points) != len(starts):
        return None
    is_negative = raw[starts] == ord("-")
    before, after = points - starts - is_negative, ends - points - 1
    if min(before.min(), after.min()) < 1 or max(before.max(), after.max()) > _WORD.itemsize:
        return None
    digits_before, digits_after = _last_digits(data, points, before), _last_digits(data, ends, after)
    if digits_before is None or digits_after is None:
        return None
    scale = _POWERS[after]
    digits = digits_before * scale + digits_after
    numbers = digits.astype(np.float64) / scale
    return np.where(is_negative, -numbers, numbers) if digits.max() < 1 << 53 else None


def _last_digits(data: bytes, ends: Places, lengths: Places) -> Words | None:
    """The whole numbers that the bytes before each end spell, as many as its length; None if one is no digit."""
    padded = bytes(_WORD.itemsize) + data
    before_each_byte: Words = np.ndarray(len(data) + 1, _WORD, padded, strides=(1,))
    words = (before_each_byte[ends] ^ _ZEROS) & _LAST_BYTES[lengths]
    if ((words | (words + _TO_HIGH_BIT)) & _HIGH_BITS).any():
        return None
    for bits, base, mask in _JOINTS:
        words = (words & mask) * base + ((words >> bits) & mask)
    return words


_DELETE = 0x7F
_FIRST_BYTES = np.array([(1 << 8 * n) - 1 for n in range(_WORD.itemsize + 1)], dtype=_WORD)


@dataclass(frozen=True, eq=False)
class ByteColumns:
    """n lines of c columns. `gaps` (n, c) are the places in `data` of the space or line end after each value."""

    data: bytes
    gaps: Places

    def __len__(self) -> int:
        return len(self.gaps)

    def texts(self, column: int, lines: Places) -> list[str]:
        """The values of a column on the given lines."""
        starts, ends = self._starts(column)[lines].tolist(), self.gaps[lines, column].tolist()
        return [self.data[start:end].decode() for start, end in zip(starts, ends, strict=True)]

    def is_constant(self, column: int) -> bool:
        """Whether all lines have the same value there."""
        words = self.words(column)
        return bool((words == words[:, :1]).all())

    def words(self, column: int) -> Words:
        """The values of a column (n) as rows of their bytes, eight together and filled up with NUL; (rows, n).

        Two values are equal if their words in every row are.
        """
        starts = self._starts(column)
        lengths = self.gaps[:, column] - starts
        shifts = range(0, int(lengths.max()), _WORD.itemsize)
        padded = self.data + bytes(shifts[-1] + _WORD.itemsize)
        at_each_byte = np.ndarray(len(padded) - _WORD.itemsize, _WORD, padded, strides=(1,))
        words = np.empty((len(shifts), len(starts)), _WORD)
        for row, shift in zip(words, shifts, strict=True):
            row[:] = at_each_byte[starts + shift] & _FIRST_BYTES[np.clip(lengths - shift, 0, _WORD.itemsize)]
        return words

    def numbers(self, column: int) -> npt.NDArray[np.float64] | None:
        """The values of a column as doubles, or None when one is not a finite number."""
        decimal = read_decimals(self.data, self._starts(column), self.gaps[:, column])
        return self._numbers_in_any_form(column) if decimal is None else decimal

    def _numbers_in_any_form(self, column: int) -> npt.NDArray[np.float64] | None:
        words = np.ascontiguousarray(self.words(column).T)
        if (words.view(np.uint8) == ord("_")).any():
            return None
        try:
            numbers = words.view(f"S{words.shape[1] * _WORD.itemsize}").ravel().astype(np.float64)
        except ValueError:
            return None
        return numbers if np.isfinite(numbers).all() else None

    def _starts(self, column: int) -> Places:
        if column:
            return self.gaps[:, column - 1] + 1
        return np.concatenate(([0], self.gaps[:-1, -1] + 1))


def cut_columns(data: bytes, n_columns: int) -> ByteColumns | None:
    """The columns of all lines; None where a line has not so many, a value is longer than an id or a character odd.

    What is printable but for the white space between columns has nothing in it that an id cannot have.
    """
    data = _with_plain_gaps(data)
    raw = np.frombuffer(data, np.uint8)
    places = np.flatnonzero(raw <= ord(" "))
    if len(places) % n_columns:
        return None
    lengths = np.diff(places, prepend=-1) - 1
    gaps = places.reshape(-1, n_columns)
    has_odd_gap = (raw[gaps] != np.frombuffer(b" " * (n_columns - 1) + b"\n", np.uint8)).any()
    if has_odd_gap or lengths.min() == 0 or lengths.max() > records.MAX_BYTES:
        return None
    return ByteColumns(data, gaps) if raw.max() < _DELETE or _is_printable(data) else None


def _with_plain_gaps(data: bytes) -> bytes:
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if b"\t" in data:
        data = data.replace(b"\t", b" ")
    return data if data.endswith(b"\n") else data + b"\n"


def _is_printable(data: bytes) -> bool:
    try:
        return data.decode().replace("\n", " ").isprintable()
    except UnicodeDecodeError:
        return False

"""Plain decimals, such as most systems write, from bytes to doubles: eight digits of all of them at once."""

import numpy as np
import numpy.typing as npt

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


def read(data: bytes, starts: Places, ends: Places) -> npt.NDArray[np.float64] | None:
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

"""Seeded numbers that depend only on a seed and names, so that adding a pair never moves another one."""

import hashlib


def number(seed: int, *names: str, bits: int = 63) -> int:
    """A uniform whole number in [0, 2**bits) fixed by the seed and the names, in this order.

    Names are told apart by their lengths, so that ("a", "bc") and ("ab", "c") differ. At most 256 bits.
    """
    digest = hashlib.sha256(str(seed).encode())
    for name in names:
        text = name.encode()
        digest.update(b"|%d:" % len(text) + text)
    return int.from_bytes(digest.digest(), "big") >> (256 - bits)


def share(seed: int, *names: str) -> float:
    """A uniform number in [0, 1) fixed by the seed and the names."""
    return number(seed, *names, bits=53) / 2**53

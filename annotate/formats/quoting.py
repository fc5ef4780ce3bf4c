"""What somebody sent, as a sentence that refuses it repeats it."""

_MOST = 60


def short(value: object) -> str:
    """As Python writes it, cut after 60 characters: what was sent may be as long as a file.

    >>> short("bm25"), short([1, 2])
    ("'bm25'", '[1, 2]')
    >>> short("x" * 1000) == "'" + "x" * 59 + "..."
    True
    """
    told = repr(value[: _MOST + 1] if isinstance(value, str) else value)
    return told if len(told) <= _MOST + 2 else f"{told[:_MOST]}..."

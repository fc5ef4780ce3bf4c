"""What is wrong with a file, line by line, and how a refusal quotes what was sent."""

from collections.abc import Sequence
from typing import NamedTuple

LIMIT = 100


class Refused(ValueError):
    """One line or value is refused; the text of the exception is the reason a person reads."""


class Fault(NamedTuple):
    """One reason to refuse a file. `line` counts from 1 and is None when the whole file is meant."""

    file: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{place}: {self.reason}"


class FileRefused(Exception):
    """A file is refused as a whole, for up to `LIMIT` faults in the order of their lines.

    `has_more` says that reading stopped there because yet another fault was found.
    """

    def __init__(self, faults: Sequence[Fault], has_more: bool = False) -> None:
        super().__init__(faults, has_more)
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line or 0))
        self.has_more = has_more

    def __str__(self) -> str:
        sentences = [str(fault) for fault in self.faults]
        if self.has_more:
            sentences.append(f"more than {len(self.faults)} faults, reading stopped there")
        return "\n".join(sentences)


class Faults:
    """Gathers the faults of one file while it is read."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._faults: list[Fault] = []

    def add(self, line: int | None, reason: str) -> None:
        """Note a fault. The one beyond `LIMIT` raises FileRefused with those found before it."""
        if len(self._faults) == LIMIT:
            raise FileRefused(self._faults, has_more=True)
        self._faults.append(Fault(self.file, line, reason))

    def refuse(self, line: int | None, reason: str) -> FileRefused:
        """The exception for a fault after which nothing more can be read."""
        return FileRefused([*self._faults[: LIMIT - 1], Fault(self.file, line, reason)])

    def raise_if_any(self) -> None:
        """Raise FileRefused when a fault was noted."""
        if self._faults:
            raise FileRefused(self._faults)

    def __bool__(self) -> bool:
        return bool(self._faults)


_MOST_QUOTED = 60


def quoted(value: object) -> str:
    """As Python writes it, cut after 60 characters: what was sent may be as long as a file.

    >>> quoted("bm25"), quoted([1, 2])
    ("'bm25'", '[1, 2]')
    >>> quoted("x" * 1000) == "'" + "x" * 59 + "..."
    True
    """
    text = repr(value[: _MOST_QUOTED + 1] if isinstance(value, str) else value)
    return text if len(text) <= _MOST_QUOTED + 2 else f"{text[:_MOST_QUOTED]}..."

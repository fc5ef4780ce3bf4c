"""The records of a CSV text, each with the line that it begins on: a quoted cell may hold line breaks."""

import csv
from collections.abc import Iterable, Iterator

from annotate.formats.faults import Faults
from annotate.formats.lines import Line


def read(lines: Iterable[Line], faults: Faults) -> Iterator[tuple[int, list[str]]]:
    """Yields the good records; one that is no CSV is noted, as is a quote that nobody closes."""
    fed = _Fed(lines)
    while True:
        try:
            for cells in csv.reader(fed, strict=True):
                yield fed.begun_on, cells
                fed.begin_anew()
            return
        except csv.Error as error:
            faults.add(fed.begun_on, f"not CSV: {error}")
            fed.begin_anew()


class _Fed:
    """The lines for csv.reader, which asks for one after the other; `begun_on` is the first since `begin_anew`."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = iter(lines)
        self.begun_on = 0

    def begin_anew(self) -> None:
        self.begun_on = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.begun_on = self.begun_on or line.number
        return f"{line.text}\n"

"""Footnotes of a table: why its undefined cells have no number, each reason once."""


class Footnotes:
    """The reasons in the order in which cells met them; `name` tells the footnotes of one table from another's.

    >>> notes = Footnotes("systems")
    >>> notes.number("one topic"), notes.number("gains nothing"), notes.number("one topic")
    (1, 2, 1)
    >>> notes.reasons
    ['one topic', 'gains nothing']
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._numbers: dict[str, int] = {}

    def number(self, reason: str) -> int:
        """The number of the footnote with this reason, from 1; a new one where there is none yet."""
        return self._numbers.setdefault(reason, len(self._numbers) + 1)

    @property
    def reasons(self) -> list[str]:
        return list(self._numbers)

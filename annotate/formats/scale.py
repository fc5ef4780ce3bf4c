"""The grades that an assessor can give."""

import re
from dataclasses import dataclass
from typing import Self

from annotate.formats.faults import Refused

_TEXT = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
HIGHEST = 10


@dataclass(frozen=True)
class GradeScale:
    """Whole grades from `low` to `high`, both included; 0-3 unless a collection says otherwise.

    Negative grades (-1 pooled but unjudged, -2 junk) are never on a scale. Grades end at 10: each has its words in the
    guidelines and its place in the judging form, and of more no person keeps them apart. 0 to 9 have a key; 10 is
    clicked. Raises Refused unless 0 <= low < high <= 10.
    """

    low: int = 0
    high: int = 3

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high:
            raise Refused(f"a grade scale goes from 0 or more up to a higher grade, not from {self.low} to {self.high}")
        if self.high > HIGHEST:
            raise Refused(f"grades go up to {HIGHEST}, not to {self.high}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """The scale written as `0-3`; raises Refused for any other shape."""
        match = _TEXT.fullmatch(text)
        if not match:
            raise Refused(f"{text!r} is not a grade scale such as 0-3")
        return cls(int(match[1]), int(match[2]))

    @property
    def grades(self) -> range:
        """All grades of the scale, ascending."""
        return range(self.low, self.high + 1)

    @property
    def relevant_from(self) -> int:
        """The grade from which a pair is relevant where the scale is split in two: its upper half, 2 on 0-3.

        >>> [GradeScale(*ends).relevant_from for ends in ((0, 3), (0, 2), (0, 1))]
        [2, 2, 1]
        """
        return (self.low + self.high) // 2 + 1

    def __contains__(self, grade: object) -> bool:
        return grade in self.grades

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"

"""What models said of pairs, as the files of other tools tell it (`model_grade_files`)."""

import re
from typing import NamedTuple

from annotate.formats.scale import GradeScale

_WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:\.0{1,9})?")


class ModelGrade(NamedTuple):
    """What one model said of one pair. `grade` is None where that is no grade of the scale; `answer` is what it said.

    `model` and `prompt` are as the file names them, empty where it names none. Where a file has the texts of a pair and
    no ids, these are in `query` and `passage`. `chances`: from the lowest grade of the scale up.
    """

    query_id: str
    passage_id: str
    grade: int | None
    answer: str
    model: str = ""
    prompt: str = ""
    chances: tuple[float, ...] | None = None
    reason: str = ""
    query: str = ""
    passage: str = ""

    @property
    def source(self) -> str:
        """Model and prompt in one name, empty where the file names none."""
        return f"{self.model}|{self.prompt}" if self.prompt else self.model


def grade_of(said: object, scale: GradeScale) -> int | None:
    """The grade that a cell or a JSON value is; tables write 2 as 2.0 where other rows have none.

    >>> [grade_of(said, GradeScale()) for said in ("2", "2.0", 3.0, "2.5", "", None, True, 7)]
    [2, 2, 3, None, None, None, None, None]
    """
    if isinstance(said, bool) or said is None:
        return None
    match = _WHOLE.fullmatch(str(said).strip())
    return grade if match and (grade := int(match[1])) in scale else None

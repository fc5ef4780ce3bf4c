"""A run read line by line: it takes all that a run may be, and names every line that may not be in one."""

import math
from pathlib import Path

import numpy as np

from annotate.formats import columns, ids, lines
from annotate.formats.faults import Faults, Refused
from annotate.formats.run_rows import RunRows

_COLUMNS = ("query_id", "Q0", "passage_id", "rank", "score", "run_tag")


def read(path: Path | str, faults: Faults) -> RunRows:
    """The rows of a run in the order of the file. Raises FileRefused for the faults that `runs.read` names."""
    table = _RunTable(faults)
    for line in lines.read(path, faults):
        table.add(line)
    if not table.tags:
        faults.raise_if_any()
        raise faults.refuse(None, "the run has no lines")
    table.note_other_tags()
    table.note_repeats()
    faults.raise_if_any()
    return table.rows()


class _RunTable:
    """The columns of the good lines, their numbers, and the line on which each run tag was first seen."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.tags: dict[str, int] = {}
        self.query_ids: dict[str, int] = {}
        self.topics: list[int] = []
        self.passage_ids: list[str] = []
        self.scores: list[float] = []
        self.numbers: list[int] = []

    def add(self, line: lines.Line) -> None:
        """Adds a line, or notes what is wrong with it."""
        try:
            query_id, _, passage_id, _, score, tag = columns.split(line.text, _COLUMNS)
            number = _number(score)
            for identifier in (query_id, passage_id, tag):
                ids.check_id(identifier)
        except Refused as refused:
            self.faults.add(line.number, str(refused))
            return
        self.tags.setdefault(tag, line.number)
        self.topics.append(self.query_ids.setdefault(query_id, len(self.query_ids)))
        self.passage_ids.append(passage_id)
        self.scores.append(number)
        self.numbers.append(line.number)

    def note_other_tags(self) -> None:
        """Notes the first line of each run tag beyond the first."""
        (tag, first), *others = self.tags.items()
        for other, number in others:
            self.faults.add(number, f"run tag {other!r} differs from {tag!r} on line {first}: one run a file")

    def note_repeats(self) -> None:
        """Notes each passage that stands twice in a topic, with both lines."""
        first_lines: dict[tuple[int, str], int] = {}
        names = list(self.query_ids)
        for topic, passage_id, number in zip(self.topics, self.passage_ids, self.numbers, strict=True):
            first = first_lines.setdefault((topic, passage_id), number)
            if first != number:
                self.faults.add(number, f"passage {passage_id!r} of topic {names[topic]!r} is on line {first} already")

    def rows(self) -> RunRows:
        """What was read."""
        topics, scores = np.array(self.topics, dtype=np.intp), np.array(self.scores, dtype=np.float64)
        return RunRows(next(iter(self.tags)), list(self.query_ids), topics, self.passage_ids, scores)


def _number(score: str) -> float:
    if "_" in score or not score.isascii():
        raise Refused(f"score {score!r} is not a number")
    try:
        number = float(score)
    except ValueError:
        raise Refused(f"score {score!r} is not a number") from None
    if not math.isfinite(number):
        raise Refused(f"score {score!r} is not a finite number")
    return number

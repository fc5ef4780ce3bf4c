"""The columns of a run while its lines are read, in the order of the file."""

import math
from itertools import chain

import numpy as np

from annotate.trec import columns, ids, lines
from annotate.trec.faults import Faults, Refused

_COLUMNS = ("query_id", "Q0", "passage_id", "rank", "score", "run_tag")
_WIDTH = len(_COLUMNS) + 1


class RunTable:
    """Topics (by their numbers in `query_ids`), passage ids and scores: one value a row.

    `stretches` tells the lines that the rows stand on, `tags` the line on which each run tag was first seen.
    """

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.tags: dict[str, int] = {}
        self.query_ids: dict[str, int] = {}
        self.topics: list[int] = []
        self.passage_ids: list[str] = []
        self.scores: list[float] = []
        self.stretches: list[range] = []

    def add(self, block: lines.Block) -> None:
        """Adds the lines of a block: all at once where nothing is odd, else one by one, noting the faulty."""
        if not self._add_at_once(block):
            for line in lines.of_block(block, self.faults):
                self._add_line(line)

    def note_repeats(self) -> None:
        """Notes each passage that stands twice in a topic, with both lines."""
        first_lines: dict[tuple[int, str], int] = {}
        names = list(self.query_ids)
        numbers = chain.from_iterable(self.stretches)
        for topic, passage_id, number in zip(self.topics, self.passage_ids, numbers, strict=True):
            first = first_lines.setdefault((topic, passage_id), number)
            if first != number:
                self.faults.add(number, f"passage {passage_id!r} of topic {names[topic]!r} is on line {first} already")

    def note_other_tags(self) -> None:
        """Notes the first line of each run tag beyond the first."""
        (tag, first), *others = self.tags.items()
        for other, number in others:
            self.faults.add(number, f"run tag {other!r} differs from {tag!r} on line {first}: one run a file")

    def _add_at_once(self, block: lines.Block) -> bool:
        words = _words(block)
        if words is None:
            return False
        query_ids, passage_ids, scores, tags = (words[column::_WIDTH] for column in (0, 2, 4, 5))
        numbers = _numbers(scores)
        is_one_tag = tags.count(tags[0]) == len(tags)
        topics = dict.fromkeys(query_ids)
        longest = max(max(map(len, topics)), max(map(len, passage_ids)), len(tags[0]))
        if numbers is None or not is_one_tag or longest * 4 > ids.MAX_BYTES:
            return False
        self.tags.setdefault(tags[0], block.first)
        for query_id in topics:
            self.query_ids.setdefault(query_id, len(self.query_ids))
        self.topics.extend(map(self.query_ids.__getitem__, query_ids))
        self.passage_ids.extend(passage_ids)
        self.scores.extend(numbers)
        self.stretches.append(range(block.first, block.first + len(numbers)))
        return True

    def _add_line(self, line: lines.Line) -> None:
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
        self.stretches.append(range(line.number, line.number + 1))


def _words(block: lines.Block) -> list[str] | None:
    """The columns of all lines, a NUL after each line's; None where a line has not six or a character is odd.

    Text that is printable but for its line ends has no white space but spaces and nothing that an id cannot
    have.
    """
    try:
        text = block.data.decode().replace("\r\n", "\n").replace("\t", " ").removesuffix("\n")
    except UnicodeDecodeError:
        return None
    if not text.replace("\n", " ").isprintable():
        return None
    words = f"{text}\n".replace("\n", " \0 ").split()
    ends = text.count("\n") + 1
    is_regular = len(words) == ends * _WIDTH and words[_WIDTH - 1 :: _WIDTH].count("\0") == ends
    return words if is_regular else None


def _numbers(scores: list[str]) -> list[float] | None:
    """All scores as doubles, or None when one is not a finite number."""
    text = "".join(scores)
    if "_" in text or not text.isascii():
        return None
    try:
        numbers = list(map(float, scores))
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


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

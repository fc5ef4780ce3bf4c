"""From a model's text to a grade, strictly: what is not plainly a grade of the scale where it was asked for is none.

Tools that search an answer with one loose pattern after the other find grades in "10", in "7/10", in a refusal that
quotes the passage. Here the prompt says where its grade stands, and that alone decides where one is read.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from annotate.formats.records import GradeScale
from annotate.llm.messages import Reply, Stop


class State(StrEnum):
    """How an answer ended. Only DONE has a grade."""

    DONE = "DONE"
    REFUSED = "REFUSED"
    EMPTY = "EMPTY"
    UNPARSED = "UNPARSED"
    TRUNCATED = "TRUNCATED"
    FILTERED = "FILTERED"


class PlaceRefused(ValueError):
    """Why a text names no place of a grade."""


@dataclass(frozen=True)
class GradePlace:
    """Where the grade stands in an answer.

    - NUMBER: the answer is the number and nothing else; `2.`, `**2**`, `"2"`, `Grade: 2` and `{"grade": 2}` are plain
      ways to write it, with or without a code fence.
    - LAST_LINE: the last line that is not blank is the number; what stands before it is the reason.
    - MARK: the last line that is not blank ends with one of `names`, a colon and the number.
    - JSON: an object, at the end of the answer, holds the number in the field that `names` leads to, outermost first.
    - STRUCTURED: the service holds the answer to a JSON schema, whose field `grade` is the number.

    An answer that is a lone number is that grade, whatever was asked for. The text form round-trips:

    >>> GradePlace.parse("mark: Final grade | Final score").names
    ('Final grade', 'Final score')
    >>> str(GradePlace.parse("mark: ##final score:"))
    'mark: ##final score'
    >>> str(GradePlace.parse("json: result.O"))
    'json: result.O'
    """

    class Kind(StrEnum):
        NUMBER = "number"
        LAST_LINE = "last line"
        MARK = "mark"
        JSON = "json"
        STRUCTURED = "structured"

    kind: Kind
    names: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "GradePlace":
        """Raises PlaceRefused."""
        head, _, rest = text.partition(":")
        try:
            kind = cls.Kind(" ".join(head.split()).lower())
        except ValueError:
            forms = '"number", "last line", "mark: WORDS | WORDS", "json: FIELD" or "structured"'
            raise PlaceRefused(f'"{text[:80]}" is no answer form. Write {forms}.') from None
        parts = rest.split("|" if kind is cls.Kind.MARK else ".") if rest.strip() else []
        names = tuple(part.strip().rstrip(":= ") for part in parts)
        if (kind in (cls.Kind.MARK, cls.Kind.JSON)) != bool(names) or not all(names):
            raise PlaceRefused(f'"{text[:80]}": {cls._usage(kind)}')
        return cls(kind, names)

    @classmethod
    def _usage(cls, kind: Kind) -> str:
        match kind:
            case cls.Kind.MARK:
                return 'name the words before the grade, as in "mark: Final grade".'
            case cls.Kind.JSON:
                return 'name the field that holds the grade, as in "json: grade".'
            case _:
                return "nothing follows this name."

    def __str__(self) -> str:
        separator = " | " if self.kind is self.Kind.MARK else "."
        return f"{self.kind.value}: {separator.join(self.names)}" if self.names else self.kind.value


NUMBER = GradePlace(GradePlace.Kind.NUMBER)
LAST_LINE = GradePlace(GradePlace.Kind.LAST_LINE)
FINAL_GRADE = GradePlace(GradePlace.Kind.MARK, ("Final grade", "Final score"))
GRADE_FIELD = GradePlace(GradePlace.Kind.JSON, ("grade",))
STRUCTURED = GradePlace(GradePlace.Kind.STRUCTURED)


@dataclass(frozen=True)
class Answer:
    """`reason` is what the model wrote beside the grade, `thinking` what it wrote between marks of thinking."""

    state: State
    grade: int | None = None
    reason: str = ""
    thinking: str = ""


_BROKEN_OFF = {Stop.FILTER: State.FILTERED, Stop.REFUSAL: State.REFUSED, Stop.LENGTH: State.TRUNCATED}
_UNPARSED = Answer(State.UNPARSED)

_THINKING_ENDS = "</think>"
_FENCED = re.compile(r"```[ \t]*(?:json|text|plaintext)?[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL | re.IGNORECASE)
_NUMBER = r"(?P<number>0|[1-9][0-9]?)"
# A number as it may end a line: in bold or quoted, with a full stop, with what the grade is called in brackets.
_DECORATED = rf"[*_`\"']*{_NUMBER}[*_`\"']*(?:[ \t]*\([^()\d]*\))?\.?[*_`\"']*"
_LABELS = (
    r"(?:(?:the|my|final|overall|relevance|passage)[ \t]+)*"
    r"(?:grade|score|relevance|rating|label|category|judge?ment|answer|O)"
)
_LONE = re.compile(rf"[#>*_ \t]*(?:{_LABELS}[*_]*[ \t]*[:=][ \t]*)?{_DECORATED}", re.IGNORECASE)
_LABELLED_LINE = re.compile(rf"[#>*_ \t]*{_LABELS}[*_]*[ \t]*[:=][ \t]*{_DECORATED}", re.IGNORECASE)
# What may stand before a mark on its line: nothing, or a sentence that has ended.
_BEFORE_MARK = r"(?:^|(?<=[.!?)\]])[ \t]+)[#>*_ \t]*"


def read_answer(reply: Reply, scale: GradeScale, place: GradePlace) -> Answer:
    """The answer that a reply holds. A refusal, a filter and a cut text are reported before any grade is looked for."""
    state = find_stop_state(reply)
    return Answer(state) if state else parse_answer(reply.text, scale, place)


def find_stop_state(reply: Reply) -> State | None:
    """Why the text of a reply is not to be read; None where it is whole."""
    return _BROKEN_OFF.get(reply.stop)


def strip_fence(text: str) -> str:
    """The text without white space around it, and without one code fence around the whole of it."""
    fenced = _FENCED.fullmatch(text.strip())
    return (fenced[1] if fenced else text).strip()


def split_thinking(text: str) -> tuple[str, str] | None:
    """(what the model thought, what it answers); None where nobody can say where thinking ends.

    Local models write `<think>...</think>` before the answer; some servers leave the first mark out. Two ends of
    thinking mean that one of them is quoted, perhaps from the passage.

    >>> split_thinking("<think>It could be 3.</think> 1")
    ('It could be 3.', '1')
    """
    if _THINKING_ENDS not in text:
        return None if text.lstrip().startswith("<think>") else ("", text.strip())
    thinking, _, rest = text.partition(_THINKING_ENDS)
    if _THINKING_ENDS in rest or "<think>" in rest:
        return None
    return thinking.strip().removeprefix("<think>").strip(), rest.strip()


def parse_answer(text: str, scale: GradeScale, place: GradePlace) -> Answer:
    """The grade in a whole text, at its place; UNPARSED for any doubt, EMPTY for white space alone.

    >>> scale = GradeScale(0, 3)
    >>> parse_answer("**2**", scale, NUMBER).grade, parse_answer("It fits.\\nFinal grade: 3", scale, FINAL_GRADE).grade
    (2, 3)
    >>> parse_answer("Final grade: 3\\nOn second thought it is 1.", scale, FINAL_GRADE).state.value
    'UNPARSED'
    """
    parts = split_thinking(text)
    if parts is None:
        return _UNPARSED
    thinking, answer = parts
    if not answer:
        return Answer(State.EMPTY, thinking=thinking)
    lone = _LONE.fullmatch(strip_fence(answer))
    found = (int(lone["number"]), "") if lone else _READERS[place.kind](answer, place)
    if found is None or found[0] not in scale:
        return Answer(State.UNPARSED, thinking=thinking)
    grade, reason = found
    return Answer(State.DONE, grade, reason.strip(), thinking)


_Found = tuple[int, str] | None
"""A grade and the reason beside it."""


def _read_number(answer: str, place: GradePlace) -> _Found:
    bare = strip_fence(answer)
    return _read_json(bare, GRADE_FIELD) if bare.startswith("{") else None


def _read_last_line(answer: str, place: GradePlace) -> _Found:
    *before, last = answer.split("\n")
    lone = _LONE.fullmatch(strip_fence(last))
    if lone is None or any(other != lone["number"] for other in _labelled(before, _LABELLED_LINE)):
        return None
    return int(lone["number"]), "\n".join(before)


def _read_mark(answer: str, place: GradePlace) -> _Found:
    *before, last = strip_fence(answer).split("\n")
    at_end, alone = _mark_patterns(place.names)
    marked = at_end.search(last.rstrip())
    if marked is None or any(other != marked["number"] for other in _labelled(before, alone)):
        return None
    return int(marked["number"]), "\n".join([*before, last[: marked.start()]])


def _labelled(lines: list[str], pattern: re.Pattern[str]) -> Iterator[str]:
    """The numbers of lines that are nothing but a labelled number."""
    return (found["number"] for line in lines if (found := pattern.fullmatch(line.strip())))


@cache
def _mark_patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A mark with its number at the end of a line, and one that is the whole line."""
    words = "|".join(r"[ \t]+".join(map(re.escape, name.split())) for name in names)
    mark = rf"[#>*_ \t]*(?:{words})[#*_]*[ \t]*[:=][*_]*[ \t]*{_DECORATED}[#]*"
    return re.compile(rf"{_BEFORE_MARK}{mark}$", re.IGNORECASE), re.compile(mark, re.IGNORECASE)


def _read_json(answer: str, place: GradePlace) -> _Found:
    before, text = _final_object(strip_fence(answer))
    try:
        value = json.loads(text, object_pairs_hook=_check_unique)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict):
        return None
    reason = "\n".join(text.strip() for name, text in value.items() if name != place.names[0] and isinstance(text, str))
    for name in place.names:
        value = value.get(name) if isinstance(value, dict) else None
    grade = _whole_number(value)
    return None if grade is None else (grade, "\n".join(part for part in (before.strip(), reason) if part))


def _read_structured(answer: str, place: GradePlace) -> _Found:
    return _read_json(answer, GRADE_FIELD)


def _final_object(answer: str) -> tuple[str, str]:
    """(what stands before it, the object or list that ends the answer, which begins on a line of its own)."""
    if answer.startswith(("{", "[")):
        return "", answer
    if fenced := re.search(rf"(?:^|\n){_FENCED.pattern}$", answer, _FENCED.flags):
        return answer[: fenced.start()], fenced[1].strip()
    starts = [found.start() for found in re.finditer(r"(?m)^[ \t]*[{\[]", answer)]
    if not starts or "```" in answer[: starts[0]]:  # a fence that is not closed: the answer may be cut
        return answer, ""
    return answer[: starts[0]], answer[starts[0] :]


def _whole_number(value: object) -> int | None:
    if isinstance(value, str) and re.fullmatch(_NUMBER, value.strip()):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _check_unique(fields: list[tuple[str, object]]) -> dict[str, object]:
    """Raises ValueError for an object that has one field twice: which is meant is unknown."""
    if len(found := dict(fields)) != len(fields):
        raise ValueError("a field is there twice")
    return found


_READERS = {
    GradePlace.Kind.NUMBER: _read_number,
    GradePlace.Kind.LAST_LINE: _read_last_line,
    GradePlace.Kind.MARK: _read_mark,
    GradePlace.Kind.JSON: _read_json,
    GradePlace.Kind.STRUCTURED: _read_structured,
}

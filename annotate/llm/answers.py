"""From a model's text to a grade, strictly: what is not plainly a grade of the scale is none.

Tools that search an answer with one loose pattern after the other find grades in "10", in "7/10" and in "to 3".
"""

import json
import re
from dataclasses import dataclass
from enum import StrEnum

from annotate.formats.scale import GradeScale
from annotate.llm.messages import Reply, Stop

# The mark, perhaps in bold, and what stands behind it on its line.
_MARKED = re.compile(r"(?i)(?<!\w)[#*]*final\s+(?:grade|score)\**[ \t]*[:=]([^\n]*)")
_INTEGER = re.compile(r"[0-9]{1,2}")
_FENCED = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*", re.DOTALL)


class State(StrEnum):
    """How an answer ended. Only DONE has a grade."""

    DONE = "DONE"
    REFUSED = "REFUSED"
    EMPTY = "EMPTY"
    UNPARSED = "UNPARSED"
    TRUNCATED = "TRUNCATED"
    FILTERED = "FILTERED"


_BROKEN_OFF = {Stop.FILTER: State.FILTERED, Stop.REFUSAL: State.REFUSED, Stop.LENGTH: State.TRUNCATED}


@dataclass(frozen=True)
class Answer:
    state: State
    grade: int | None = None
    reason: str = ""


def read_answer(reply: Reply, scale: GradeScale) -> Answer:
    """The answer that a reply holds. A refusal, a filter and a cut text are told before any grade is looked for."""
    state = find_stop_state(reply)
    return Answer(state) if state else parse_answer(reply.text, scale)


def find_stop_state(reply: Reply) -> State | None:
    """Why the text of a reply is not to be read; None where it is whole."""
    return _BROKEN_OFF.get(reply.stop)


def strip_fence(text: str) -> str:
    """The text without white space around it, and without one code fence around the whole of it."""
    fenced = _FENCED.fullmatch(text)
    return (fenced[1] if fenced else text).strip()


def parse_answer(text: str, scale: GradeScale) -> Answer:
    """The grade in a whole text.

    Taken are: a lone integer of the scale; a JSON object with an integer `grade` (one code fence around it is taken
    off), whose texts are the reason; a text that says "final grade:" or "final score:" with an integer of the scale and
    nothing else behind it on the line (twice only if it says the same). Everything else is UNPARSED, white space alone
    is EMPTY.

    >>> scale = GradeScale(0, 3)
    >>> parse_answer("2", scale).grade, parse_answer("It fits.\\nFinal grade: 3", scale).grade
    (2, 3)
    >>> parse_answer("7/10", scale).state.value
    'UNPARSED'
    """
    stripped = text.strip()
    if not stripped:
        return Answer(State.EMPTY)
    if _INTEGER.fullmatch(stripped):
        return _build_answer(int(stripped), "", scale)
    if (body := strip_fence(text)).startswith("{"):
        return _from_json(body, scale)
    return _from_mark(stripped, scale)


def _from_json(body: str, scale: GradeScale) -> Answer:
    try:
        fields = json.loads(body, object_pairs_hook=_check_unique)
    except (ValueError, RecursionError):
        return Answer(State.UNPARSED)
    grade = fields.get("grade") if isinstance(fields, dict) else None
    if not isinstance(grade, int) or isinstance(grade, bool):
        return Answer(State.UNPARSED)
    reasons = [text.strip() for name, text in fields.items() if name != "grade" and isinstance(text, str)]
    return _build_answer(grade, "\n".join(reasons), scale)


def _check_unique(fields: list[tuple[str, object]]) -> dict[str, object]:
    """Raises ValueError for an object that has one field twice: nobody can tell which is meant."""
    if len(unique := dict(fields)) != len(fields):
        raise ValueError("a field is there twice")
    return unique


def _from_mark(text: str, scale: GradeScale) -> Answer:
    marked = list(_MARKED.finditer(text))
    tokens = {mark[1].strip(" \t\r*").removesuffix(".").strip("*") for mark in marked}
    if len(tokens) != 1 or not _INTEGER.fullmatch(token := tokens.pop()):
        return Answer(State.UNPARSED)
    return _build_answer(int(token), text[: marked[0].start()].strip(), scale)


def _build_answer(grade: int, reason: str, scale: GradeScale) -> Answer:
    return Answer(State.DONE, grade, reason) if grade in scale else Answer(State.UNPARSED)

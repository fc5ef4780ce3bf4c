"""What is asked of a model: a grade of a pair, or texts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from annotate.formats.records import GradeScale
from annotate.llm import answers, prompts
from annotate.llm.answers import GradePlace, State
from annotate.llm.messages import Reply, Request
from annotate.llm.prompts import Template


class AnswerForm(StrEnum):
    """What a prompt wants as the answer."""

    DIRECT = "DIRECT"  # the number only
    RATIONALE = "RATIONALE"  # a reason, then the grade
    DECOMPOSED = "DECOMPOSED"  # the steps, then the grade


class Against(StrEnum):
    """What a passage is graded against."""

    QUERY = "QUERY"
    BACKSTORY = "BACKSTORY"
    BOTH = "BOTH"


@dataclass(frozen=True)
class InformationNeed:
    query: str
    backstory: str = ""


@dataclass(frozen=True)
class Example:
    """A judged pair, shown with its grade."""

    need: InformationNeed
    passage: str
    grade: int


@dataclass(frozen=True)
class GradeRequests:
    """All that is the same for the pairs of a batch. `words`: by grade its name and description."""

    model: str
    template: Template
    form: AnswerForm
    against: Against
    scale: GradeScale
    words: Mapping[int, tuple[str, str]]
    guidelines: str = ""
    is_structured: bool = False
    is_fenced: bool = True
    temperature: float | None = None
    most_tokens: int = 0  # 0: as the form needs
    effort: str = ""
    sampling: Mapping[str, float] = field(default_factory=dict)
    answer_form: GradePlace | None = None  # None: as the form has it
    example: str = ""  # how a worked example is shown; empty: the need, the passage, and the grade as it is asked for

    def request(self, need: InformationNeed, passage: str, examples: Sequence[Example] = ()) -> Request:
        """The request for one pair. Raises ValueError where the need lacks the backstory that it is graded against."""
        if self.against is not Against.QUERY and not need.backstory:
            raise ValueError("the topic has no backstory")
        fixed, text = self.template.filled(
            {
                "guidelines": self.guidelines.strip(),
                "grades": _grades(self.words),
                "examples": _examples(examples, self),
                "answer": _answer(self),
                "need": _need(need, self),
                "query": self._data("query", need.query),
                "backstory": self._data("backstory", need.backstory),
                "passage": self._data("passage", passage),
            }
        )
        return Request(
            model=self.model,
            fixed=fixed,
            text=text,
            most_tokens=self.most_tokens or _MOST_TOKENS[self.form],
            temperature=self.temperature,
            schema=answer_schema(self.form, self.scale) if self._has_schema else None,
            first_token_of=self._numbers,
            is_reasoned=self.form is not AnswerForm.DIRECT,
            effort=self.effort,
            parameters=self.sampling,
        )

    @property
    def place(self) -> GradePlace:
        """Where the answers hold their grades."""
        return answers.STRUCTURED if self._has_schema else self.answer_form or usual_place(self.form)

    @property
    def _has_schema(self) -> bool:
        return self.is_structured or self.answer_form == answers.STRUCTURED

    @property
    def _numbers(self) -> tuple[str, ...]:
        """The first token is the grade only where nothing but the number is asked for."""
        return tuple(map(str, self.scale.grades)) if self.place == answers.NUMBER else ()

    def _data(self, name: str, text: str) -> str:
        return prompts.fence_data(name, text, self.is_fenced)


_MOST_TOKENS = {AnswerForm.DIRECT: 32, AnswerForm.RATIONALE: 512, AnswerForm.DECOMPOSED: 768}
_REASONS = {
    AnswerForm.DIRECT: (),
    AnswerForm.RATIONALE: ("reason",),
    AnswerForm.DECOMPOSED: ("intent", "topicality", "trust"),
}


def usual_place(form: AnswerForm) -> GradePlace:
    """Where the answers to a prompt hold their grades that says no more than its form."""
    return answers.NUMBER if form is AnswerForm.DIRECT else answers.FINAL_GRADE


def answer_schema(form: AnswerForm, scale: GradeScale) -> dict[str, object]:
    """The JSON schema of an answer: reasons first, so that the grade follows from them."""
    fields: dict[str, object] = {name: {"type": "string"} for name in _REASONS[form]}
    fields["grade"] = {"type": "integer", "enum": list(scale.grades)}
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _grades(words: Mapping[int, tuple[str, str]]) -> str:
    return "\n".join(
        f"{grade}: {name}. {description}".strip() if description else f"{grade}: {name}"
        for grade, (name, description) in sorted(words.items())
    )


def _need(need: InformationNeed, asking: GradeRequests) -> str:
    query = asking._data("query", need.query)
    backstory = asking._data("backstory", need.backstory)
    if asking.against is Against.QUERY:
        return query
    return backstory if asking.against is Against.BACKSTORY else f"{backstory}\n{query}"


def _examples(examples: Sequence[Example], asking: GradeRequests) -> str:
    if not examples:
        return ""
    return "Pairs that people graded:\n\n" + "\n\n".join(_example(example, asking) for example in examples)


def _example(example: Example, asking: GradeRequests) -> str:
    values = {
        "need": _need(example.need, asking),
        "query": asking._data("query", example.need.query),
        "backstory": asking._data("backstory", example.need.backstory),
        "passage": asking._data("passage", example.passage),
        "grade": str(example.grade),
    }
    if asking.example:
        return prompts.fill_placeholders(asking.example, values)
    place = asking.answer_form
    graded = f"Final grade: {example.grade}" if place is None else _write_grade(place, str(example.grade))
    return f"{values['need']}\n{values['passage']}\n{graded}"


def _write_grade(place: GradePlace, grade: str) -> str:
    """A grade as an answer of the form ends with it.

    >>> _write_grade(GradePlace.parse("json: result.O"), "2")
    '{"result": {"O": 2}}'
    """
    match place.kind:
        case GradePlace.Kind.MARK:
            return f"{place.names[0]}: {grade}"
        case GradePlace.Kind.JSON | GradePlace.Kind.STRUCTURED:
            names = place.names or ("grade",)
            return "".join(f'{{"{name}": ' for name in names) + grade + "}" * len(names)
        case _:
            return grade


def _answer(asking: GradeRequests) -> str:
    place = asking.place
    if place.kind is GradePlace.Kind.STRUCTURED:
        fields = ", ".join(f"`{name}`" for name in (*_REASONS[asking.form], "grade"))
        return f"Answer with one JSON object with {fields}, the grade being a whole number of the scale."
    match place.kind:
        case GradePlace.Kind.NUMBER:
            return "Answer with the number of the grade and nothing else."
        case GradePlace.Kind.LAST_LINE:
            return "End with a line of its own that has the number of the grade and nothing else."
        case GradePlace.Kind.JSON:
            return f"End with a JSON object like {_write_grade(place, 'N')}, N being the number of the grade."
        case _:
            mark = place.names[0]
            return f'End with a line of its own that says "{mark}: " and the number, and write nothing after it.'


BACKSTORY_TOKENS = 400
BACKSTORY_CHARACTERS = 2000
_AVOID_WORDS = "Do without these words, and without words of the same stem: {words}."


@dataclass(frozen=True)
class BackstoryRequests:
    """All that is the same for the topics of a batch."""

    model: str
    template: Template
    temperature: float | None = None
    is_fenced: bool = True
    sampling: Mapping[str, float] = field(default_factory=dict)

    def request(self, query: str, avoid: Sequence[str]) -> Request:
        """`avoid`: words that the text should do without."""
        words = _AVOID_WORDS.format(words=", ".join(avoid)) if avoid else ""
        fixed, text = self.template.filled(
            {"query": prompts.fence_data("query", query, self.is_fenced), "avoid": words}
        )
        return Request(self.model, fixed, text, BACKSTORY_TOKENS, self.temperature, parameters=self.sampling)


def read_backstory(reply: Reply) -> tuple[State, str]:
    """How the answer ended, and its text where that is DONE: one paragraph of at most `MOST_CHARACTERS`.

    Lines are joined; more than one paragraph is a remark beside the text, and UNPARSED.
    """
    if state := answers.find_stop_state(reply):
        return state, ""
    text = answers.strip_fence(reply.text)
    if not text:
        return State.EMPTY, ""
    paragraphs = [" ".join(part.split()) for part in text.replace("\r\n", "\n").split("\n\n") if part.strip()]
    if len(paragraphs) != 1 or len(paragraphs[0]) > BACKSTORY_CHARACTERS:
        return State.UNPARSED, ""
    return State.DONE, paragraphs[0]


TOKENS_EACH_WORDING = 80
_AVOID_WORDINGS = (
    "These are there already, so none of them again, nor one that differs from them in case, spaces or punctuation:"
)


@dataclass(frozen=True)
class VariantRequests:
    """All that is the same for the topics and profiles of a batch."""

    model: str
    template: Template
    temperature: float | None = None
    is_fenced: bool = True
    sampling: Mapping[str, float] = field(default_factory=dict)

    def request(
        self, query: str, backstory: str, background: str, factors: str, number: int, there: Sequence[str] = ()
    ) -> Request:
        """Ask for `number` wordings; `there` are wordings that need not come again."""
        avoid = "\n".join([_AVOID_WORDINGS, self._data("there", "\n".join(there))]) if there else ""
        fixed, text = self.template.filled(
            {
                "query": self._data("query", query),
                "backstory": self._data("need", backstory),
                "profile": self._data("profile", background),
                "factors": self._data("factors", factors),
                "avoid": avoid,
                "number": "one wording" if number == 1 else f"{number} wordings",
            }
        )
        most_tokens = 100 + TOKENS_EACH_WORDING * number
        return Request(self.model, fixed, text, most_tokens, self.temperature, parameters=self.sampling)

    def _data(self, name: str, text: str) -> str:
        return prompts.fence_data(name, text, self.is_fenced)


def read_wordings(reply: Reply) -> tuple[State, list[str]]:
    """How the answer ended, and its wordings where that is DONE, each on one line.

    Only a JSON array of strings is DONE (one code fence around it is taken off), and empty where it holds nothing.
    """
    if state := answers.find_stop_state(reply):
        return state, []
    text = answers.strip_fence(reply.text)
    if not text:
        return State.EMPTY, []
    try:
        wordings = json.loads(text)
    except (ValueError, RecursionError):
        return State.UNPARSED, []
    if not isinstance(wordings, list) or not all(isinstance(one, str) for one in wordings):
        return State.UNPARSED, []
    lines = [" ".join(one.split()) for one in wordings]
    return (State.DONE, lines) if lines else (State.EMPTY, [])

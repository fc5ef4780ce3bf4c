"""From a pair to the request that asks for its grade."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotate.formats.scale import GradeScale
from annotate.llm import answers, prompts
from annotate.llm.answers import GradePlace
from annotate.llm.messages import Request
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
            schema=answer_schema(self.form, self.scale) if self.is_structured else None,
            first_token_of=self._numbers,
            is_reasoned=self.form is not AnswerForm.DIRECT,
            effort=self.effort,
        )

    @property
    def place(self) -> GradePlace:
        """Where the answers hold their grades."""
        if self.is_structured:
            return answers.GRADE_FIELD
        return answers.NUMBER if self.form is AnswerForm.DIRECT else answers.FINAL_GRADE

    @property
    def _numbers(self) -> tuple[str, ...]:
        """The first token is the grade only where nothing but the number is asked for."""
        is_number_alone = self.form is AnswerForm.DIRECT and not self.is_structured
        return tuple(map(str, self.scale.grades)) if is_number_alone else ()

    def _data(self, name: str, text: str) -> str:
        return prompts.fence_data(name, text, self.is_fenced)


_MOST_TOKENS = {AnswerForm.DIRECT: 32, AnswerForm.RATIONALE: 512, AnswerForm.DECOMPOSED: 768}
_REASONS = {
    AnswerForm.DIRECT: (),
    AnswerForm.RATIONALE: ("reason",),
    AnswerForm.DECOMPOSED: ("intent", "topicality", "trust"),
}


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
    shown = [
        f"{_need(example.need, asking)}\n{asking._data('passage', example.passage)}\nFinal grade: {example.grade}"
        for example in examples
    ]
    return "Pairs that people graded:\n\n" + "\n\n".join(shown)


def _answer(asking: GradeRequests) -> str:
    if asking.is_structured:
        fields = ", ".join(f"`{name}`" for name in (*_REASONS[asking.form], "grade"))
        return f"Answer with one JSON object with {fields}, the grade being a whole number of the scale."
    if asking.form is AnswerForm.DIRECT:
        return "Answer with the number of the grade and nothing else."
    return 'End with a line of its own that says "Final grade: " and the number, and write nothing after it.'

"""Asking a model for the grade of a pair: what the messages of a batch have in common, and what an answer comes to.

Batches of grades and probes of a judge do the same here; they differ in which pairs they ask about.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import ClassVar, NotRequired, TypedDict, TypeVar

from annotate.llm import answers, providers, requests
from annotate.llm.answers import GradePlace
from annotate.llm.messages import Reply, Request
from annotate.llm.prompts import Template
from annotate.llm.providers import Fault, storable
from annotate.llm.requests import Against, AnswerForm, Example, GradeRequests, InformationNeed
from annotate.models import Backstory, Collection, GradedAnswer, Guidelines, Pair, Passage, Prompt, required
from annotate.own_judges import queries as own_judges_queries
from annotate.own_judges.operations import training
from annotate.suggestions.purposes import purpose
from annotate.suggestions.purposes.purpose import BadPlan, ServicePlan, ServicePurpose, State
from annotate.suggestions.rules import ANY, RELEVANT, Examples

GradedRow = TypeVar("GradedRow", bound=GradedAnswer)


class Grading(TypedDict):
    """What can change a grade, as it is kept: batches that agree in it are one rater."""

    service: str
    model: str
    prompt: str
    prompt_name: str
    form: str
    is_fenced: bool
    against: str
    examples: int
    examples_from: str
    temperature: float | None
    is_structured: bool
    guidelines: int
    examples_digest: NotRequired[str]
    answer_form: NotRequired[str]
    effort: NotRequired[str]
    sampling: NotRequired[dict[str, float]]
    most_tokens: NotRequired[int]
    address: NotRequired[str]  # of another server than the service's own


@dataclass(frozen=True, kw_only=True)
class GradingPlan(ServicePlan):
    """How pairs are graded. `examples`: so many judged pairs of each grade are shown in every message."""

    against: Against = Against.QUERY
    examples: int = 0
    examples_from: str = ANY
    is_structured: bool = False

    without_key: ClassVar[str] = "Lacuna's own judges work without a key."

    def check(self) -> None:
        if self.examples < 0 or self.per_minute < 0:
            raise BadPlan("Worked examples and calls a minute are counted from 0 on.")
        if self.is_structured and not self._takes_schema:
            raise BadPlan(
                f"{self.prompt} asks for its own answer form ({self.prompt.answer_form}), which a JSON schema would "
                "contradict: ask without structured output, or put {answer} into the prompt."
            )
        super().check()

    @property
    def _takes_schema(self) -> bool:
        template = Template(self.prompt.fixed, self.prompt.text)
        return "answer" in template.placeholders or find_place(self.prompt) == answers.STRUCTURED

    def grading(self, collection: Collection) -> Grading:
        """The grades that worked examples come from are written down."""
        guidelines = Guidelines.objects.get(collection=collection, is_current=True)
        kept: Grading = {
            "service": self.service,
            "model": self.model,
            "prompt": self.prompt.digest,
            "prompt_name": str(self.prompt),
            "form": self.prompt.form,
            "is_fenced": self.prompt.is_fenced,
            "against": str(self.against),
            "examples": self.examples,
            "examples_from": self.examples_from if self.examples else "",
            "temperature": self.temperature,
            "is_structured": self.is_structured,
            "guidelines": guidelines.version,
        }
        if not self.is_structured and find_place(self.prompt) != requests.usual_place(AnswerForm(self.prompt.form)):
            kept["answer_form"] = self.prompt.answer_form
        if self.effort:  # only what was chosen: without it these are the parameters that earlier batches have
            kept["effort"] = self.effort
        if self.sampling:
            kept["sampling"] = dict(self.sampling)
        if self.most_tokens:
            kept["most_tokens"] = self.most_tokens
        if address := providers.find_provider(self.service).endpoint.read_address():
            kept["address"] = address
        if self.examples:
            kept["examples_digest"] = training.keep_grades(own_judges_queries.list_training_grades(collection))
        return kept


def find_place(prompt: Prompt) -> GradePlace:
    """Where the answers to a prompt hold their grades, as the prompt says it."""
    return GradePlace.parse(prompt.answer_form) if prompt.answer_form else requests.usual_place(AnswerForm(prompt.form))


class Messages:
    """The messages of one batch. What they have in common is read once."""

    def __init__(self, collection: Collection, grading: Grading, prompt: Prompt) -> None:
        self._collection = collection
        self._grading = grading
        guidelines = Guidelines.objects.get(collection=collection, version=grading["guidelines"])
        self._requests = GradeRequests(
            model=grading["model"],
            template=Template(prompt.fixed, prompt.text),
            form=AnswerForm(prompt.form),
            against=Against(grading["against"]),
            scale=collection.scale,
            words={word["grade"]: (word["name"], word["description"]) for word in guidelines.grade_words},
            guidelines=guidelines.text,
            is_structured=grading["is_structured"],
            is_fenced=prompt.is_fenced,
            temperature=grading["temperature"],
            sampling=grading.get("sampling", {}),
            effort=grading.get("effort", ""),  # batches of earlier versions have none
            most_tokens=grading.get("most_tokens", 0),
            answer_form=GradePlace.parse(grading["answer_form"]) if "answer_form" in grading else None,
            example=prompt.example,
        )
        self._texts: dict[tuple[str, str], tuple[InformationNeed, str]] = {}  # of examples

    @property
    def place(self) -> GradePlace:
        """Where the answers hold their grades."""
        return self._requests.place

    def about(self, pair: Pair, backstory: Backstory | None) -> Request:
        """The message about a pair whose topic and passage have been read."""
        return self._requests.request(*_read_pair(pair, backstory), self._examples_for(pair))

    def _examples_for(self, pair: Pair) -> list[Example]:
        if not self._grading["examples"]:
            return []
        scale = self._collection.scale
        least = scale.relevant_from if self._grading["examples_from"] == RELEVANT else scale.low
        named = (pair.topic.query_id, pair.passage_id)
        chosen = self._examples.choose(named, range(least, scale.high + 1))
        return [Example(*self._read_texts(other), grade) for other, grade in chosen]

    @cached_property
    def _examples(self) -> Examples:
        known = training.read_grades(self._collection, self._grading["examples_digest"])
        return Examples(
            own_judges_queries.select_readable(self._collection, known),  # some may have been withdrawn since
            per_grade=self._grading["examples"],
            source=self._grading["examples_from"],
            seed=self._collection.seed,
        )

    def _read_texts(self, named: tuple[str, str]) -> tuple[InformationNeed, str]:
        if named not in self._texts:
            pairs = Pair.objects.select_related("topic", "passage_text").filter(collection=self._collection)
            pair = pairs.get(topic__query_id=named[0], passage_id=named[1])
            backstory = Backstory.objects.filter(topic=pair.topic, is_current=True).first()
            self._texts[named] = _read_pair(pair, backstory)
        return self._texts[named]


class GradingPurpose(ServicePurpose[GradedRow]):
    """A purpose whose answers are grades."""

    columns = (
        *("state", "grade", "probabilities", "reason", "answer", "cause", "stop_reason", "request_id", "tokens"),
        *("milliseconds", "attempts", "created_at", "model_version"),
    )

    @cached_property
    def messages(self) -> Messages:
        return Messages(self.batch.collection, self.batch.parameters, self.prompt)

    def take(self, row: GradedRow, reply: Reply, now: datetime) -> None:
        answer = answers.read_answer(reply, self.batch.collection.scale, self.messages.place)
        row.state, row.grade = State(answer.state.value), answer.grade
        row.reason, row.answer, row.cause = storable(answer.reason), storable(reply.text), ""
        purpose.note_reply(row, reply, reply.tokens, reply.milliseconds)
        if reply.probabilities and answer.grade is not None:
            row.probabilities = [round(share, 6) for share in reply.probabilities]

    def fail(self, row: GradedRow, fault: Fault, now: datetime) -> None:
        row.state, row.cause = purpose.name_fault(fault)
        # Of an answer before this attempt, which had no grade, the row tells no more; its batch counts what it cost.
        row.stop_reason, row.request_id, row.tokens, row.milliseconds = "", "", None, None


def _read_pair(pair: Pair, backstory: Backstory | None) -> tuple[InformationNeed, str]:
    need = InformationNeed(pair.topic.text, backstory.text if backstory else "")
    return need, passage_text(required(pair.passage_text))


def passage_text(passage: Passage) -> str:
    """As models get to read it."""
    return f"{passage.title}\n{passage.text}" if passage.title else passage.text

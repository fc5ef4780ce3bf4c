"""From a pair that a model is asked about to the words of the request."""

import itertools
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from annotate.llm.grade_requests import Against, AnswerForm, Example, GradeRequests, InformationNeed
from annotate.llm.messages import Request
from annotate.llm.prompts import Template
from annotate.models import Backstory, Batch, Collection, Guidelines, Pair, Passage, Prompt, Suggestion
from annotate.own_judges import queries as own_judges_queries
from annotate.suggestions.rules import Examples

SLICE = 200


class Texts:
    """What the requests of one batch have in common, read once; `request` makes one."""

    def __init__(self, collection: Collection, parameters: dict[str, Any], prompt: Prompt) -> None:
        self._collection = collection
        self._said = parameters
        guidelines = Guidelines.objects.get(collection=collection, version=parameters["guidelines"])
        self._asking = GradeRequests(
            model=parameters["model"],
            template=Template(prompt.fixed, prompt.text),
            form=AnswerForm(prompt.form),
            against=Against(parameters["against"]),
            scale=collection.scale,
            words={word["grade"]: (word["name"], word["description"]) for word in guidelines.grade_words},
            guidelines=guidelines.text,
            is_structured=parameters["is_structured"],
            is_fenced=prompt.is_fenced,
            temperature=parameters["temperature"],
        )
        self._read: dict[tuple[str, str], tuple[InformationNeed, str]] = {}  # the texts of examples

    @classmethod
    def of_batch(cls, batch: Batch) -> "Texts":
        return cls(batch.collection, batch.parameters, batch.prompt)

    def request(self, suggestion: Suggestion) -> Request:
        """The request behind a suggestion whose pair, topic, passage and backstory have been read."""
        return self.request_of(suggestion.pair, suggestion.backstory)

    def request_of(self, pair: Pair, backstory: Backstory | None) -> Request:
        need = InformationNeed(pair.topic.text, backstory.text if backstory else "")
        return self._asking.request(need, passage_text(pair.passage_text), self._examples_of(pair))

    def _examples_of(self, pair: Pair) -> list[Example]:
        if not self._said["examples"]:
            return []
        chosen = self._examples.of((pair.topic.query_id, pair.passage_id), self._collection.scale.grades)
        return [Example(*self._texts_of(other), grade) for other, grade in chosen]

    @cached_property
    def _examples(self) -> Examples:
        known = own_judges_queries.read_kept_grades(self._said["examples_digest"])
        return Examples(
            own_judges_queries.select_readable(self._collection, known),  # some may have been withdrawn since
            per_grade=self._said["examples"],
            source=self._said["examples_from"],
            seed=self._collection.seed,
        )

    def _texts_of(self, named: tuple[str, str]) -> tuple[InformationNeed, str]:
        if named not in self._read:
            pairs = Pair.objects.select_related("topic", "passage_text").filter(collection=self._collection)
            pair = pairs.get(topic__query_id=named[0], passage_id=named[1])
            backstory = Backstory.objects.filter(topic=pair.topic, is_current=True).first()
            need = InformationNeed(pair.topic.text, backstory.text if backstory else "")
            self._read[named] = (need, passage_text(pair.passage_text))
        return self._read[named]


def preview(collection: Collection, template: Template, said: dict[str, Any]) -> Request | None:
    """The request that a prompt would make of the collection's first pooled pair; None where there is none."""
    pair = Pair.objects.filter(collection=collection, is_pooled=True, passage_text__isnull=False).order_by("pk").first()
    if pair is None:
        return None
    prompt = Prompt(form=said["form"], fixed=template.fixed, text=template.text, is_fenced=said["is_fenced"])
    guidelines = Guidelines.objects.get(collection=collection, is_current=True)
    backstory = Backstory.objects.filter(topic=pair.topic_id, is_current=True).first()
    against = Against.BOTH if backstory else Against.QUERY
    plain = {"model": "", "temperature": None, "is_structured": False, "examples": 0}
    texts = Texts(collection, {**plain, "against": against, "guidelines": guidelines.version}, prompt)
    return texts.request(Suggestion(pair=pair, backstory=backstory))


def with_backstory(collection: Collection) -> QuerySet[Backstory]:
    """The topics that can be graded against a backstory."""
    current = Backstory.objects.filter(topic__collection=collection, is_current=True)
    return current.exclude(state=Backstory.State.DRAFT).values("topic")


def to_ask(batch: Batch, state: str) -> Iterator[Suggestion]:
    """The rows of a batch in a state, with all that their requests need, in the order of their ids."""
    rows = Suggestion.objects.filter(batch=batch, state=state).order_by("pk")
    rows = rows.select_related("pair__topic", "pair__passage_text", "backstory")
    last = 0
    while found := list(rows.filter(pk__gt=last)[:SLICE]):
        last = found[-1].pk
        yield from found


def imagined(pair_ids: Iterable[int], against: Against) -> Iterator[Suggestion]:
    """Rows that are not stored, for a dry run."""
    ids = iter(pair_ids)
    while part := list(itertools.islice(ids, SLICE)):
        pairs = Pair.objects.filter(pk__in=part).select_related("topic", "passage_text")
        backstories = current_backstories(part) if against is not Against.QUERY else {}
        yield from (Suggestion(pair=pair, backstory=backstories.get(pair.topic_id)) for pair in pairs)


def passage_text(passage: Passage) -> str:
    """As models get to read it."""
    return f"{passage.title}\n{passage.text}" if passage.title else passage.text


def current_backstories(pair_ids: list[int]) -> dict[int, Backstory]:
    """By topic, of the topics of these pairs."""
    rows = Backstory.objects.filter(topic__pairs__in=pair_ids, is_current=True).distinct()
    return {backstory.topic_id: backstory for backstory in rows}

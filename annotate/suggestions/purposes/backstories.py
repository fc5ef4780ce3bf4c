"""Backstories that models write: asked for again while they repeat the query's words too much."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import ClassVar

from django.db.models import QuerySet
from django.utils import timezone

from annotate.llm import providers, requests
from annotate.llm.answers import State
from annotate.llm.messages import Reply, Request
from annotate.llm.prompts import Template
from annotate.llm.requests import BackstoryRequests
from annotate.models import Backstory, Batch, Collection, Generation, Prompt, Topic
from annotate.suggestions.purposes import texts
from annotate.suggestions.purposes.purpose import BadPlan
from annotate.suggestions.purposes.texts import Texts, TextsPlan
from annotate.texts import operations as backstories_operations
from annotate.texts.queries import backstories as backstories_queries

MISSING, EVERY = "MISSING", "EVERY"
ABOVE = "above the bound"


@dataclass(frozen=True, kw_only=True)
class BackstoriesPlan(TextsPlan):
    """`scope`: of MISSING topics or of EVERY one. `bound`: the share of the query's words above which a text is asked
    for again."""

    scope: str = MISSING
    bound: float = backstories_queries.MOST_OVERLAP

    purpose: ClassVar = Batch.Purpose.BACKSTORIES
    prompt_purpose: ClassVar = Prompt.Purpose.BACKSTORY

    def check(self) -> None:
        super().check()
        if not 0 <= self.bound <= 1:
            raise BadPlan("The bound is a share from 0 to 1.")

    def parameters(self, collection: Collection) -> dict[str, object]:
        return {**super().parameters(collection), "scope": self.scope, "bound": self.bound}


class Backstories(Texts):
    @property
    def nothing(self) -> str:
        return "There are no topics to write for, or each has a backstory or a draft of one already."

    def list_wanted(self) -> list[Generation]:
        topics = list_topics(self.batch.collection, self.batch.parameters["scope"])
        return [Generation(batch=self.batch, topic=topic) for topic in topics]

    def message(self, row: Generation) -> Request:
        """The second time it names the words of the query that the earlier texts held."""
        query = row.topic.text
        return self._requests.request(query, backstories_queries.list_shared_words(query, " ".join(row.texts)))

    def read(self, row: Generation, reply: Reply) -> tuple[State, bool]:
        state, text = requests.read_backstory(reply)
        if state is not State.DONE:
            return state, False
        row.texts = [*row.texts, text]
        return state, not self._is_above(row.topic, text)

    def keep(self, row: Generation, now: datetime) -> None:
        """Of several texts the one that repeats the fewest of the query's words becomes a draft; that none was good
        enough stays with the row."""
        best = min(row.texts, key=lambda text: _overlap(row.topic, text))
        row.cause = ABOVE if self._is_above(row.topic, best) else ""
        backstories_operations.add_draft(topic=row.topic, text=best, generation=row, now=now)

    def take_back(self) -> int:
        """Drafts that were not approved."""
        drafts = Backstory.objects.filter(generation__batch=self.batch, state=Backstory.State.DRAFT)
        written = list(drafts.values_list("generation", flat=True))
        drafts.delete()
        texts.mark_taken_back(self.rows.filter(pk__in=set(written)))
        return len(written)

    @cached_property
    def _requests(self) -> BackstoryRequests:
        kept, template = self.batch.parameters, Template(self.prompt.fixed, self.prompt.text)
        sampling = kept.get("sampling", {})
        return BackstoryRequests(kept["model"], template, kept["temperature"], self.prompt.is_fenced, sampling)

    def _is_above(self, topic: Topic, text: str) -> bool:
        bound: float = self.batch.parameters["bound"]
        return _overlap(topic, text) > bound


def preview(collection: Collection, prompt: Prompt) -> Request | None:
    """What a prompt, stored or not, would ask of the collection's first topic; None without a topic."""
    batch = BackstoriesPlan(service=providers.DEFAULT, model="", prompt=prompt).draft(collection, timezone.now())
    row = texts.preview_row(batch)
    return Backstories(batch).message(row) if row else None


def list_topics(collection: Collection, scope: str) -> QuerySet[Topic]:
    """In the order of their import: every one, or those of which there is neither a version nor a draft."""
    published = Topic.objects.published().filter(collection=collection).order_by("pk")
    return published if scope == EVERY else published.exclude(pk__in=Backstory.objects.values("topic"))


def _overlap(topic: Topic, text: str) -> float:
    return backstories_queries.measure_overlap(topic.text, text) or 0.0

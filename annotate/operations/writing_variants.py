"""What is particular of query variants that models write: asked again for what is missing."""

from collections import Counter
from datetime import datetime

from annotate.llm import writing_variants
from annotate.llm.answers import State
from annotate.llm.messages import Reply, Request
from annotate.llm.prompts import Template
from annotate.llm.writing_variants import VariantWriting
from annotate.models import Backstory, Batch, Collection, Generation, Profile, Prompt, QueryVariant, Topic
from annotate.operations import variants
from annotate.rules import wordings


class Writer:
    """Requests for the query variants of one batch, and what becomes of the answers."""

    def __init__(self, said: dict, prompt: Prompt) -> None:
        self._number = said["number"]
        template = Template(prompt.fixed, prompt.text)
        self._writing = VariantWriting(said["model"], template, said["temperature"])
        self._needs: dict[int, str] = {}

    def request(self, row: Generation) -> Request:
        """Ask for as many as are missing, with those that are there named."""
        there = [*_earlier(row), *row.texts]
        return self._writing.request(
            query=row.topic.text,
            backstory=self._need(row.topic),
            background=row.profile.background,
            factors=row.profile.factors,
            number=max(1, self._number - len(there)),
            there=there,
        )

    def read(self, row: Generation, reply: Reply) -> tuple[State, bool]:
        """How the answer ended, and whether none is missing any more; what is new in it is noted on the row."""
        state, texts = writing_variants.read(reply)
        if state is not State.DONE:
            return state, False
        earlier = _earlier(row)
        found = wordings.new(texts, [row.topic.text, *earlier, *row.texts])
        row.texts = [*row.texts, *found][: max(0, self._number - len(earlier))]
        is_whole = len(earlier) + len(row.texts) >= self._number
        return (State.DONE if row.texts or is_whole else State.EMPTY), is_whole

    def keep(self, row: Generation, now: datetime) -> None:
        """What was taken becomes query variants; where that is fewer than were wanted, the row says so."""
        there = len(_earlier(row)) + len(row.texts)
        row.cause = f"{there} of {self._number}" if there < self._number else ""
        collection = row.batch.collection
        variants.add(
            collection=collection, topic=row.topic, profile=row.profile, texts=row.texts, generation=row, now=now
        )

    def _need(self, topic: Topic) -> str:
        """The backstory in force, since a wording without it may stray."""
        if topic.pk not in self._needs:
            current = Backstory.objects.filter(topic=topic, is_current=True).values_list("text", flat=True)
            self._needs[topic.pk] = current.first() or ""
        return self._needs[topic.pk]


def rows(batch: Batch) -> list[Generation]:
    """Rows that a batch is to have, not stored."""
    said = batch.parameters
    chosen = list(Profile.objects.filter(collection=batch.collection, pk__in=said["profiles"]).order_by("pk"))
    return wanted(batch.collection, chosen, said["number"], batch)


def wanted(collection: Collection, chosen: list[Profile], number: int, batch: Batch | None = None) -> list[Generation]:
    """A row, not stored, for each topic and profile with fewer variants than so many, topic by topic."""
    counts = Counter(
        QueryVariant.objects.filter(collection=collection, profile__in=chosen).values_list("topic", "profile")
    )
    return [
        Generation(batch=batch, topic=topic, profile=profile)
        for topic in Topic.objects.published().filter(collection=collection).order_by("pk")
        for profile in chosen
        if counts[topic.pk, profile.pk] < number
    ]


def _earlier(row: Generation) -> list[str]:
    """Wordings of the topic and profile that other batches and files brought."""
    there = QueryVariant.objects.filter(topic=row.topic, profile=row.profile)
    return list(there.order_by("number").values_list("text", flat=True))

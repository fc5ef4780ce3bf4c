"""What is particular of query variants that models write: asked again for what is missing."""

from collections import Counter
from datetime import datetime
from functools import cached_property

from annotate.llm import text_requests
from annotate.llm.answers import State
from annotate.llm.messages import Reply, Request
from annotate.llm.prompts import Template
from annotate.llm.text_requests import VariantRequests
from annotate.models import Backstory, Batch, Collection, Generation, Profile, QueryVariant, Topic
from annotate.variants import operations as variants_operations
from annotate.variants import rules as variants_rules


class Writer:
    """Requests for the query variants of one batch, and what becomes of the answers."""

    def __init__(self, batch: Batch) -> None:
        said = batch.parameters
        self._batch, self._number = batch, said["number"]
        template = Template(batch.prompt.fixed, batch.prompt.text)
        self._writing = VariantRequests(said["model"], template, said["temperature"], batch.prompt.is_fenced)

    def request(self, row: Generation) -> Request:
        """Ask for as many as are missing, with those that are there named."""
        there = [*self._earlier_of(row), *row.texts]
        return self._writing.request(
            query=row.topic.text,
            backstory=self._needs.get(row.topic_id, ""),
            background=row.profile.background,
            factors=row.profile.factors,
            number=max(1, self._number - len(there)),
            there=there,
        )

    def read(self, row: Generation, reply: Reply) -> tuple[State, bool]:
        """How the answer ended, and whether none is missing any more; what is new in it is noted on the row."""
        state, texts = text_requests.read_wordings(reply)
        if state is not State.DONE:
            return state, False
        earlier = self._earlier_of(row)
        found = variants_rules.select_new_wordings(texts, [row.topic.text, *earlier, *row.texts])
        row.texts = [*row.texts, *found][: max(0, self._number - len(earlier))]
        is_whole = len(earlier) + len(row.texts) >= self._number
        return (State.DONE if row.texts or is_whole else State.EMPTY), is_whole

    def keep(self, row: Generation, now: datetime) -> None:
        """What was taken becomes query variants; where that is fewer than were wanted, the row says so."""
        there = len(self._earlier_of(row)) + len(row.texts)
        row.cause = f"{there} of {self._number}" if there < self._number else ""
        collection = row.batch.collection
        variants_operations.add_variants(
            collection=collection, topic=row.topic, profile=row.profile, texts=row.texts, generation=row, now=now
        )

    def _earlier_of(self, row: Generation) -> list[str]:
        """Wordings of the topic and profile that other batches and files brought."""
        return self._earlier.get((row.topic_id, row.profile_id), [])

    @cached_property
    def _earlier(self) -> dict[tuple[int, int], list[str]]:
        """As they were when the batch began or was taken up: each row of it ends with its own."""
        found: dict[tuple[int, int], list[str]] = {}
        rows = QueryVariant.objects.filter(profile__in=self._batch.parameters["profiles"]).order_by("number")
        for topic, profile, text in rows.values_list("topic", "profile", "text").iterator():
            found.setdefault((topic, profile), []).append(text)
        return found

    @cached_property
    def _needs(self) -> dict[int, str]:
        """The backstories in force, since a wording without one may stray."""
        rows = Backstory.objects.filter(topic__collection=self._batch.collection, is_current=True)
        return dict(rows.values_list("topic", "text"))


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

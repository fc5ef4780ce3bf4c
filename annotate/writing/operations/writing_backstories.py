"""What is particular of backstories that models write: asked again while they repeat the query's words too much."""

from datetime import datetime

from django.db.models import QuerySet

from annotate.backstories import operations as backstories_operations
from annotate.backstories import queries as backstories_queries
from annotate.llm import text_requests
from annotate.llm.answers import State
from annotate.llm.messages import Reply, Request
from annotate.llm.prompts import Template
from annotate.llm.text_requests import BackstoryRequests
from annotate.models import Backstory, Batch, Collection, Generation, Topic

MISSING, EVERY = "MISSING", "EVERY"
ABOVE = "above the bound"


class Writer:
    """Requests for the backstories of one batch, and what becomes of the answers."""

    def __init__(self, batch: Batch) -> None:
        said = batch.parameters
        self._bound = said["bound"]
        template = Template(batch.prompt.fixed, batch.prompt.text)
        self._writing = BackstoryRequests(said["model"], template, said["temperature"], batch.prompt.is_fenced)

    def request(self, row: Generation) -> Request:
        """The second time it names the words of the query that the earlier texts held."""
        query = row.topic.text
        return self._writing.request(query, backstories_queries.list_shared_words(query, " ".join(row.texts)))

    def read(self, row: Generation, reply: Reply) -> tuple[State, bool]:
        """How the answer ended, and whether it is good enough; its text is noted on the row."""
        state, text = text_requests.read_backstory(reply)
        if state is not State.DONE:
            return state, False
        row.texts = [*row.texts, text]
        return state, not self._is_above(row.topic, text)

    def keep(self, row: Generation, now: datetime) -> None:
        """Of several texts the one that repeats the fewest of the query's words becomes a draft; what it was that none
        was good enough stays with the row."""
        best = min(row.texts, key=lambda text: backstories_queries.measure_overlap(row.topic.text, text) or 0.0)
        row.cause = ABOVE if self._is_above(row.topic, best) else ""
        backstories_operations.add_draft(topic=row.topic, text=best, generation=row, now=now)

    def _is_above(self, topic: Topic, text: str) -> bool:
        return (backstories_queries.measure_overlap(topic.text, text) or 0.0) > self._bound


def rows(batch: Batch) -> list[Generation]:
    """Rows that a batch is to have, not stored."""
    wanted = topics(batch.collection, batch.parameters["scope"])
    return [Generation(batch=batch, topic=topic) for topic in wanted]


def topics(collection: Collection, scope: str) -> QuerySet[Topic]:
    """Topics in the order of their import: every one, or those of which there is neither a version nor a draft."""
    published = Topic.objects.published().filter(collection=collection).order_by("pk")
    return published if scope == EVERY else published.exclude(pk__in=Backstory.objects.values("topic"))

"""What a judge is shown in a probe: passages of other topics, dressed up."""

from collections.abc import Callable, Iterator

from annotate.llm.messages import Request
from annotate.models import Batch, Collection, Pair, Passage, ProbeAnswer, Topic
from annotate.probes import rules
from annotate.rules import disguises
from annotate.rules.disguises import Disguise
from annotate.suggestions.queries import asked_pairs
from annotate.suggestions.queries.asked_pairs import Texts


def drawn(
    collection: Collection, number: int, seed: int, topics: set[int] | None = None
) -> list[tuple[Topic, Passage]]:
    """At most so many topics (of these, if any) each with a passage that was pooled or graded for others only."""
    rows = {row.query_id: row for row in Topic.objects.published().filter(collection=collection)}
    own: dict[str, set[str]] = {query_id: set() for query_id in rows}
    pairs = Pair.objects.filter(collection=collection, topic__in=[row.pk for row in rows.values()])
    for query_id, passage_id in pairs.values_list("topic__query_id", "passage_id").iterator():
        own[query_id].add(passage_id)
    readable = Passage.objects.published().filter(collection=collection, pairs__isnull=False)
    passages = dict(readable.values_list("passage_id", "pk"))
    asked = None if topics is None else {query_id for query_id, row in rows.items() if row.pk in topics}
    found = rules.draw(own, readable=passages.keys(), number=number, seed=seed, asked=asked)
    texts = Passage.objects.in_bulk([passages[passage_id] for _, passage_id in found])
    return [(rows[query_id], texts[passages[passage_id]]) for query_id, passage_id in found]


def to_ask(batch: Batch) -> Iterator[ProbeAnswer]:
    """The rows that wait, with all that their requests need."""
    rows = ProbeAnswer.objects.filter(batch=batch, state=ProbeAnswer.State.QUEUED).order_by("pk")
    return iter(rows.select_related("topic", "passage", "backstory"))


def requests(batch: Batch) -> Callable[[ProbeAnswer], Request]:
    """What makes the request of a row, with the batch's prompt."""
    texts, seed = Texts.of_batch(batch), batch.parameters["seed"]

    def request(row: ProbeAnswer) -> Request:
        passage = Passage(text=dressed(row, highest=batch.collection.scale.high, seed=seed))
        pair = Pair(topic=row.topic, passage_id=row.passage.passage_id, passage_text=passage)
        return texts.request_of(pair, row.backstory)

    return request


def dressed(row: ProbeAnswer, *, highest: int, seed: int) -> str:
    """The passage of a row as the judge gets to read it."""
    return disguises.dress(
        Disguise(row.disguise),
        query=row.topic.text,
        passage=asked_pairs.passage_text(row.passage),
        highest=highest,
        seed=seed,
    )

"""Measuring query variants in the background: their spelling is looked up in the collection's own passages.

There is no dictionary: a word is known when it is a stop word, stands in a topic, in a backstory, or in several
passages.
"""

import itertools
from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from django.db import transaction

from annotate.models import Backstory, Collection, Passage, QueryVariant, Topic, User, Work
from annotate.retrieval import analysis
from annotate.variants.rules import measures as measures_rules
from annotate.variants.rules.measures import Measures
from annotate.work import queue, steps
from annotate.work.steps import Step

MEASURE = "measure variants"
PASSAGES_KNOWING = 2
"""So many passages make a word known: a slip seldom comes twice."""
READ, STORED = 2000, 500


@transaction.atomic
def request(*, collection: Collection, by: User | None, now: datetime) -> Work:
    """Queue it, once if it waits already."""
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    return waiting(collection) or queue.enqueue(
        collection=collection,
        kind=MEASURE,
        lane=queue.SUGGESTIONS,
        subject="measures of query variants",
        arguments={},
        by=by,
        now=now,
    )


def waiting(collection: Collection) -> Work | None:
    """The measuring that nobody has begun yet."""
    return Work.objects.filter(collection=collection, kind=MEASURE, state=Work.State.QUEUED).first()


def run(work: Work) -> Iterator[Step]:
    """Read the passages once, then store what is measured. Begun anew after a crash: it comes to the same."""
    collection = work.collection
    assert collection is not None
    rows = QueryVariant.objects.published().filter(collection=collection).exclude(text="")
    wanted = {word for text in _texts(rows.values_list("text")) for word in measures_rules.words(text)}
    known = wanted & (analysis.STOP_WORDS | set(_in_topics(collection)))
    yield from _look_up(collection, wanted - known, known)
    total, done = rows.count(), 0
    last = 0
    while part := list(rows.filter(pk__gt=last).select_related("topic").order_by("pk")[:STORED]):
        last = part[-1].pk
        _store(part, known)
        done += len(part)
        steps.let_others_write()
        yield Step(done, total, note="measured")


def _look_up(collection: Collection, wanted: set[str], known: set[str]) -> Iterator[Step]:
    """Add to the known words those that stand in enough passages."""
    if not wanted:
        return
    passages = Passage.objects.published().filter(collection=collection)
    total, done = passages.count(), 0
    found: Counter[str] = Counter()
    texts = _texts(passages.values_list("title", "text"))
    while part := list(itertools.islice(texts, READ)):
        for text in part:
            found.update(wanted.intersection(measures_rules.words(text)))
        done += len(part)
        yield Step(done, total, note="passages read for their words")
    known |= {word for word, count in found.items() if count >= PASSAGES_KNOWING}


def _in_topics(collection: Collection) -> Iterator[str]:
    topics = Topic.objects.published().filter(collection=collection)
    backstories = Backstory.objects.filter(topic__in=topics)
    for text in itertools.chain(
        _texts(topics.values_list("text", "description", "narrative")), _texts(backstories.values_list("text"))
    ):
        yield from measures_rules.words(text)


def _texts(rows) -> Iterator[str]:
    return (" ".join(row) for row in rows.iterator(chunk_size=READ))


@transaction.atomic
def _store(rows: list[QueryVariant], known: set[str]) -> None:
    for row in rows:
        stems = analysis.stemmed(row.text)
        measures = measures_rules.of(row.text, stems, analysis.stemmed(row.topic.text), known)
        # Row by row: a bulk_update takes several times as long. One that was taken out meanwhile is no row any more.
        QueryVariant.objects.filter(pk=row.pk).update(measured=_told(measures))


def _told(measures: Measures) -> dict[str, object]:
    """As it is stored: what is not known is not there, so that databases sort it as nothing."""
    told = {**measures._asdict(), "unknown_words": len(measures.unknown)}
    return {name: value for name, value in told.items() if value is not None}

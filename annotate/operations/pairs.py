"""Rows for topic-passage pairs, made once however often a pair is named."""

from annotate.models import Collection, Pair, Passage, Topic
from annotate.rules import ordering


def ensure(*, collection: Collection, named: list[tuple[Topic, str]]) -> list[Pair]:
    """The rows of the pairs, made where missing and joined to their passage's text where the collection has it.

    Call in a transaction, with at most a batch of pairs. The answer is in the order of the names, each once.
    """
    named = list(dict.fromkeys(named))
    texts = dict(
        Passage.objects.published()
        .filter(collection=collection, passage_id__in={passage_id for _, passage_id in named})
        .values_list("passage_id", "pk")
    )
    Pair.objects.bulk_create(
        [
            Pair(
                collection=collection,
                topic=topic,
                passage_id=passage_id,
                passage_text_id=texts.get(passage_id),
                order_key=ordering.order_key(collection.order, collection.seed, topic.query_id, passage_id),
            )
            for topic, passage_id in named
        ],
        ignore_conflicts=True,
    )
    rows = Pair.objects.filter(
        topic__in={topic for topic, _ in named}, passage_id__in={passage_id for _, passage_id in named}
    )
    found = {(pair.topic_id, pair.passage_id): pair for pair in rows}
    return [found[topic.pk, passage_id] for topic, passage_id in named]

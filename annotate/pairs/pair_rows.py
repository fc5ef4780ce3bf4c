"""Rows of pairs: made once however often a pair is named, and columns of many written at once."""

from collections.abc import Iterable, Sequence

from django.db import connection

from annotate.models import Collection, Pair, Passage, Topic
from annotate.rules import drawing

Value = int | str | None


def ensure_rows(*, collection: Collection, named: list[tuple[Topic, str]]) -> list[Pair]:
    """The rows of the pairs, made where missing and joined to their passage's text where the collection has it.

    Call in a transaction, with at most a batch of pairs. The answer is in the order of the names, each once.
    """
    wanted = list(dict.fromkeys(named))
    found = _find(wanted)
    missing = [(topic, passage_id) for topic, passage_id in wanted if (topic.pk, passage_id) not in found]
    if missing:
        _create(collection, missing)
        found |= _find(missing)
    return [found[topic.pk, passage_id] for topic, passage_id in wanted]


def _find(wanted: list[tuple[Topic, str]]) -> dict[tuple[int, str], Pair]:
    rows = Pair.objects.filter(
        topic__in={topic for topic, _ in wanted}, passage_id__in={passage_id for _, passage_id in wanted}
    )
    return {(pair.topic_id, pair.passage_id): pair for pair in rows}


def _create(collection: Collection, missing: list[tuple[Topic, str]]) -> None:
    collection = Collection.objects.get(pk=collection.pk)  # order and seed as they are now
    texts = dict(
        Passage.objects.published()
        .filter(collection=collection, passage_id__in={passage_id for _, passage_id in missing})
        .values_list("passage_id", "pk")
    )
    Pair.objects.bulk_create(
        [
            Pair(
                collection=collection,
                topic=topic,
                passage_id=passage_id,
                passage_text_id=texts.get(passage_id),
                order_key=drawing.order_key(collection.order, collection.seed, topic.query_id, passage_id),
            )
            for topic, passage_id in missing
        ],
        ignore_conflicts=True,
    )


def store_columns(pairs: Iterable[Pair], columns: Sequence[str]) -> None:
    """Write these columns of locked pairs as they are in memory; call in a transaction."""
    write_columns(columns, [(*(getattr(pair, name) for name in columns), pair.pk) for pair in pairs])


def write_columns(columns: Sequence[str], rows: Sequence[tuple[Value, ...]]) -> None:
    """`rows`: values of the columns and then the row id, in the order in which pairs are locked. One statement, run for
    each: `bulk_update` would build a CASE with a branch for each, which takes a second for some hundreds on SQLite."""
    if not rows:
        return
    assignments = ", ".join(f"{name} = %s" for name in columns)
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE annotate_pair SET {assignments} WHERE id = %s", rows)

"""Passages of a file; once they are published, pairs that waited for their text are joined to it."""

from collections.abc import Iterator
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet

from annotate.models import ImportedFile, Pair
from annotate.models import Passage as PassageRow
from annotate.operations import half_way, pair_states
from annotate.operations.steps import Step
from annotate.trec import passages
from annotate.trec.faults import Fault, FileRefused
from annotate.trec.records import Passage

BATCH = 500


def read(imported: ImportedFile, path: Path) -> Iterator[Passage]:
    return passages.read(path, name=imported.name)


def check(imported: ImportedFile, batch: list[Passage]) -> int:
    """Count the passages; raises FileRefused where one is in the collection with another text."""
    half_way.check(imported, _rows(imported, batch).values_list("source", flat=True).distinct())
    there = _there(imported, batch)
    faults = [
        Fault(imported.name, None, f"passage {p.passage_id!r} is in the collection with another text")
        for p in batch
        if p.passage_id in there and (p.text, p.title) != there[p.passage_id]
    ]
    if faults:
        raise FileRefused(faults[:100])
    return len(batch)


def stage(imported: ImportedFile, batch: list[Passage]) -> None:
    there = _there(imported, batch)
    PassageRow.objects.bulk_create(
        PassageRow(
            collection=imported.collection,
            source=imported,
            passage_id=passage.passage_id,
            title=passage.title,
            text=passage.text,
        )
        for passage in batch
        if passage.passage_id not in there
    )


def publish(imported: ImportedFile, total: int) -> None:
    imported.added = imported.passages.count()
    imported.unchanged = total - imported.added


def settle(imported: ImportedFile) -> Iterator[Step]:
    waiting = Pair.objects.filter(collection=imported.collection, passage_text=None).order_by("pk")
    total, done, last = waiting.count(), 0, 0
    while batch := list(waiting.filter(pk__gt=last)[:BATCH]):
        _join(imported, batch)
        done, last = done + len(batch), batch[-1].pk
        yield Step(done, total, note="joining pairs to their texts")


@transaction.atomic
def _join(imported: ImportedFile, batch: list[Pair]) -> None:
    texts = dict(
        PassageRow.objects.published()
        .filter(collection=imported.collection, passage_id__in={pair.passage_id for pair in batch})
        .values_list("passage_id", "pk")
    )
    pairs = list(
        Pair.objects.select_for_update()
        .filter(pk__in=[pair.pk for pair in batch if pair.passage_id in texts])
        .order_by("pk")
    )
    for pair in pairs:
        pair.passage_text_id = texts[pair.passage_id]
    Pair.objects.bulk_update(pairs, ["passage_text"])
    pair_states.refresh(collection=imported.collection, pairs=pairs)


def _there(imported: ImportedFile, batch: list[Passage]) -> dict[str, tuple[str, str]]:
    rows = _rows(imported, batch).values_list("passage_id", "text", "title")
    return {passage_id: (text, title) for passage_id, text, title in rows}


def _rows(imported: ImportedFile, batch: list[Passage]) -> QuerySet[PassageRow]:
    return PassageRow.objects.filter(collection=imported.collection, passage_id__in=[p.passage_id for p in batch])

"""Passages of a file; once they are published, pairs that waited for their text are joined to it."""

from collections.abc import Iterator
from pathlib import Path

from django.db import transaction
from django.db.models import Q, QuerySet

from annotate.formats import texts as formats_texts
from annotate.formats.faults import Faults
from annotate.formats.records import Passage
from annotate.imports import queries
from annotate.imports.kinds.file_kind import BATCH, FileKind
from annotate.models import ImportedFile, Pair
from annotate.models import Passage as PassageRow
from annotate.pairs import pair_states
from annotate.work.queue import Step


class Passages(FileKind[Passage]):
    """Passages of a file."""

    searched = (False, True)

    def number_records(self, imported: ImportedFile, path: Path, faults: Faults) -> Iterator[tuple[int, Passage]]:
        return formats_texts.read_numbered_passages(path, faults)

    def check_batch(self, imported: ImportedFile, batch: list[tuple[int, Passage]], faults: Faults) -> None:
        """Note the passages that are in the collection with another text."""
        records = [passage for _, passage in batch]
        queries.check_overlap(imported, _rows(imported, records).values_list("source", flat=True).distinct())
        there = _there(imported, records)
        for line, passage in batch:
            if there.get(passage.passage_id, (passage.text, passage.title)) != (passage.text, passage.title):
                faults.add(line, f"passage {passage.passage_id!r} is in the collection with another text")

    def stage_batch(self, imported: ImportedFile, batch: list[Passage]) -> None:
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

    def count_added(self, imported: ImportedFile) -> int:
        return imported.passages.count()

    def settle(self, imported: ImportedFile) -> Iterator[Step]:
        waiting = Pair.objects.filter(collection=imported.collection, passage_text=None).order_by("pk")
        total, done, last = waiting.count(), 0, 0
        while batch := list(waiting.filter(pk__gt=last)[:BATCH]):
            _join(imported, batch)
            done, last = done + len(batch), batch[-1].pk
            yield Step(done, total, note="joining pairs to their texts")

    @transaction.atomic
    def remove_batch(self, imported: ImportedFile) -> int:
        """What was near to a text that goes is near to nothing: another text may come under the same name."""
        gone = set(PassageRow.objects.filter(source=imported).values_list("pk", flat=True)[:BATCH])
        without = Q(passage_text__in=gone)
        rows = Pair.objects.filter(without | Q(duplicate_of__in=Pair.objects.filter(without)))
        pairs = list(rows.select_for_update(no_key=True).order_by(*pair_states.LOCK_ORDER))
        for pair in pairs:
            pair.duplicate_of_id = None
            if pair.passage_text_id in gone:
                pair.passage_text_id = None
        pair_states.store_columns(pairs, ["passage_text_id", "duplicate_of_id"])
        pair_states.refresh(collection=imported.collection, pairs=pairs)
        PassageRow.objects.filter(pk__in=gone).delete()
        return len(gone)


@transaction.atomic
def _join(imported: ImportedFile, batch: list[Pair]) -> None:
    texts = dict(
        PassageRow.objects.published()
        .filter(collection=imported.collection, passage_id__in={pair.passage_id for pair in batch})
        .values_list("passage_id", "pk")
    )
    pairs = pair_states.lock_pairs([pair.pk for pair in batch if pair.passage_id in texts])
    for pair in pairs:
        pair.passage_text_id = texts[pair.passage_id]
    Pair.objects.bulk_update(pairs, ["passage_text"])
    pair_states.refresh(collection=imported.collection, pairs=pairs)


def _there(imported: ImportedFile, batch: list[Passage]) -> dict[str, tuple[str, str]]:
    rows = _rows(imported, batch).values_list("passage_id", "text", "title")
    return {passage_id: (text, title) for passage_id, text, title in rows}


def _rows(imported: ImportedFile, batch: list[Passage]) -> QuerySet[PassageRow]:
    return PassageRow.objects.filter(collection=imported.collection, passage_id__in=[p.passage_id for p in batch])

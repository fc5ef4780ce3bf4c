"""Topics of a file, with their backstories where it has some."""

from collections.abc import Iterator
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.formats import texts
from annotate.formats.faults import Faults
from annotate.formats.records import Topic
from annotate.imports import queries
from annotate.imports.kinds.file_kind import BATCH, FileKind
from annotate.models import Backstory, ImportedFile
from annotate.models import Topic as TopicRow
from annotate.texts import operations as backstories_operations
from annotate.work import kept_files
from annotate.work.queue import Step


class Topics(FileKind[Topic]):
    """Topics of a file."""

    searched = (False,)

    def number_records(self, imported: ImportedFile, path: Path, faults: Faults) -> Iterator[tuple[int, Topic]]:
        return texts.read_numbered_topics(path, faults)

    def check_batch(self, imported: ImportedFile, batch: list[tuple[int, Topic]], faults: Faults) -> None:
        """Note the topics that are in the collection with other words."""
        records = [topic for _, topic in batch]
        queries.check_overlap(imported, _rows(imported, records).values_list("source", flat=True).distinct())
        there = _there(imported, records)
        for line, topic in batch:
            if topic.query_id in there and _words(topic) != _words(there[topic.query_id]):
                faults.add(line, f"topic {topic.query_id!r} is in the collection with other words")

    def stage_batch(self, imported: ImportedFile, batch: list[Topic]) -> None:
        there = _there(imported, batch)
        TopicRow.objects.bulk_create(
            TopicRow(
                collection=imported.collection,
                source=imported,
                query_id=topic.query_id,
                text=topic.text,
                description=topic.description,
                narrative=topic.narrative,
            )
            for topic in batch
            if topic.query_id not in there
        )

    def count_added(self, imported: ImportedFile) -> int:
        return imported.topics.count()

    def settle(self, imported: ImportedFile) -> Iterator[Step]:
        """Store each backstory of the file that differs from the topic's present one as its next version."""
        read = self.read_records(imported, kept_files.path(imported.path))
        with_backstory = [topic for topic in read if topic.backstory]
        rows = {row.query_id: row for row in TopicRow.objects.filter(collection=imported.collection)}
        for done, topic in enumerate(with_backstory, start=1):
            backstories_operations.add_version(
                topic=rows[topic.query_id],
                text=topic.backstory,
                origin=imported.options.get("backstory_origin", Backstory.Origin.IMPORTED),
                by=imported.created_by,
                now=timezone.now(),
            )
            if done % 100 == 0:
                yield Step(done, len(with_backstory))

    @transaction.atomic
    def remove_batch(self, imported: ImportedFile) -> int:
        gone = list(TopicRow.objects.filter(source=imported).values_list("pk", flat=True)[:BATCH])
        TopicRow.objects.filter(pk__in=gone).delete()
        return len(gone)


def _there(imported: ImportedFile, batch: list[Topic]) -> dict[str, TopicRow]:
    return {row.query_id: row for row in _rows(imported, batch)}


def _rows(imported: ImportedFile, batch: list[Topic]) -> QuerySet[TopicRow]:
    return TopicRow.objects.filter(collection=imported.collection, query_id__in=[t.query_id for t in batch])


def _words(topic: Topic | TopicRow) -> tuple[str, str, str]:
    return topic.text, topic.description, topic.narrative

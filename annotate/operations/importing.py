"""Reading a received file: check all of it, stage its rows in short batches, publish by one state change, then settle.

A file with errors changes nothing. Staged rows are invisible until their file is published, and a reading that died
goes on at the batch where it was.
"""

import itertools
import time
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import TypeVar

from django.db import connection, transaction
from django.utils import timezone

from annotate.models import ImportedFile, Work
from annotate.operations import importing_passages, importing_qrels, importing_runs, importing_topics
from annotate.operations.steps import CannotGoOn, Step
from annotate.queries import kept_files
from annotate.trec.faults import FileRefused

BATCH = 500
# SQLite has one writer at a time: the pause lets people's saves through (a judgment then waits 0.07 s at most).
PAUSE_SECONDS = 0.03

KINDS: dict[str, ModuleType] = {
    ImportedFile.Kind.TOPICS: importing_topics,
    ImportedFile.Kind.PASSAGES: importing_passages,
    ImportedFile.Kind.QRELS: importing_qrels,
    ImportedFile.Kind.RUN: importing_runs,
}
Record = TypeVar("Record")


def run(work: Work) -> Iterator[Step]:
    """The steps of one import. Raises CannotGoOn where the file is refused; its row then lists the faults."""
    imported = ImportedFile.objects.select_related("collection").get(pk=work.arguments["imported_file"])
    kind = KINDS[imported.kind]
    if imported.state in (ImportedFile.State.WAITING, ImportedFile.State.STAGING):
        yield from _stage(imported, kind, work.cursor or 0)
        _publish(imported, kind)
    for step in kind.settle(imported):
        _let_others_write()
        yield step
    ImportedFile.objects.filter(pk=imported.pk).update(finished_at=timezone.now())


def _stage(imported: ImportedFile, kind: ModuleType, at: int) -> Iterator[Step]:
    path = kept_files.path(imported.path)
    try:
        total = sum(kind.check(imported, batch) for batch in batches(kind.read(imported, path)))
    except FileRefused as refused:
        _refuse(imported, refused)
        raise CannotGoOn(f"{imported.name} was refused; nothing was changed.") from None
    if total == 0:
        _refuse(imported, None)
        raise CannotGoOn(f"{imported.name} has no lines; nothing was changed.")
    ImportedFile.objects.filter(pk=imported.pk).update(state=ImportedFile.State.STAGING)
    for batch in batches(itertools.islice(kind.read(imported, path), at, None)):
        with transaction.atomic():
            kind.stage(imported, batch)
        at += len(batch)
        _let_others_write()
        yield Step(at, total, cursor=at)


@transaction.atomic
def _publish(imported: ImportedFile, kind: ModuleType) -> None:
    imported.state = ImportedFile.State.PUBLISHED
    kind.publish(imported)
    imported.save(update_fields=["state", "added", "unchanged", "note"])


def _refuse(imported: ImportedFile, refused: FileRefused | None) -> None:
    faults = [str(fault) for fault in refused.faults] if refused else [f"{imported.name}: the file has no lines"]
    if refused and refused.has_more:
        faults.append("There are more faults; reading stopped here.")
    ImportedFile.objects.filter(pk=imported.pk).update(
        state=ImportedFile.State.REFUSED, faults=faults, finished_at=timezone.now()
    )


def batches(records: Iterable[Record], size: int = BATCH) -> Iterator[list[Record]]:
    records = iter(records)
    while batch := list(itertools.islice(records, size)):
        yield batch


def _let_others_write() -> None:
    if connection.vendor == "sqlite":
        time.sleep(PAUSE_SECONDS)

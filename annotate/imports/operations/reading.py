"""Reading a received file: check all of it, stage its rows in short batches, publish by one state change, then settle.

A file with errors changes nothing. Staged rows are invisible until their file is published, and a reading that died
goes on at the batch where it was.
"""

import itertools
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from django.db import transaction
from django.utils import timezone

from annotate.formats import whole_files
from annotate.formats.faults import Faults, FileRefused
from annotate.imports.kinds import grades, passages, qrels, runs, topics, variants
from annotate.imports.operations import withdrawals
from annotate.models import ImportedFile, Work
from annotate.work import kept_files
from annotate.work import kinds as work_kinds
from annotate.work.kinds import CannotGoOn, Step

BATCH = 500
GONE = (ImportedFile.State.WITHDRAWING, ImportedFile.State.WITHDRAWN, ImportedFile.State.REFUSED)

KINDS: dict[str, ModuleType] = {
    ImportedFile.Kind.TOPICS: topics,
    ImportedFile.Kind.PASSAGES: passages,
    ImportedFile.Kind.QRELS: qrels,
    ImportedFile.Kind.RUN: runs,
    ImportedFile.Kind.GRADES: grades,
    ImportedFile.Kind.VARIANTS: variants,
}
Record = TypeVar("Record")


def run(work: Work) -> Iterator[Step]:
    """The steps of one import. Raises CannotGoOn where the file is refused; its row then lists the faults."""
    imported = ImportedFile.objects.select_related("collection").get(pk=work.arguments["imported_file"])
    kind = KINDS[imported.kind]
    if imported.state in GONE:
        raise CannotGoOn(f"{imported.name} is {imported.get_state_display()}.")
    if imported.state != ImportedFile.State.PUBLISHED:
        total = yield from _stage(imported, kind, work.cursor or 0)
        _publish(imported, kind, total)
    for step in kind.settle(imported):
        work_kinds.let_others_write()
        yield step


def _stage(imported: ImportedFile, kind: ModuleType, at: int) -> Generator[Step, None, int]:
    """Check the whole file and store it from the record `at` on; returns how many records it has."""
    _check_copies(imported)
    path = kept_files.path(imported.path)
    try:
        total = yield from _check(imported, kind, path, at)
    except FileRefused as refused:
        # Where a part was stored before a stop or a crash, something else has changed since.
        yield from withdrawals.remove(imported)
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
        work_kinds.let_others_write()
        yield Step(at, total, cursor=at, note="storing")
    return total


def _check_copies(imported: ImportedFile) -> None:
    """Raises CannotGoOn where what was received is not in the data folder as it was received."""
    received = [{"name": imported.name, "path": imported.path, "digest": imported.digest}]
    received += [imported.options["texts"]] if "texts" in imported.options else []
    for copy in received:
        if not whole_files.is_whole(kept_files.path(copy["path"]), copy["digest"]):
            raise CannotGoOn(
                f"The copy of {copy['name']} in the data folder is damaged or gone. Send the same file once more: that "
                "writes it anew, and its import can be resumed."
            )


def _check(imported: ImportedFile, kind: ModuleType, path: Path, at: int) -> Generator[Step, None, int]:
    """Count the records; raises FileRefused with what is wrong in the file and against the collection, by line.

    The steps keep the cursor of what is stored already.
    """
    total, faults = 0, Faults(imported.name)
    for batch in batches(kind.numbered(imported, path, faults)):
        kind.check(imported, batch, faults)
        total += len(batch)
        yield Step(total, cursor=at, note="checking")
    faults.raise_if_any()
    return total


@transaction.atomic
def _publish(imported: ImportedFile, kind: ModuleType, total: int) -> None:
    imported.state = ImportedFile.State.PUBLISHED
    imported.finished_at = timezone.now()
    kind.publish(imported, total)
    imported.save(update_fields=["state", "added", "unchanged", "left_out", "note", "finished_at"])


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

"""Reading a received file: check all of it, stage its rows in short batches, publish by one state change, then settle.

A file with errors changes nothing. Staged rows are invisible until their file is published, and a reading that died
goes on at the batch where it was.
"""

from collections.abc import Generator, Iterator

from django.db import transaction
from django.utils import timezone

from annotate.formats import whole_files
from annotate.formats.faults import FileRefused
from annotate.imports.kinds import KINDS, Kind
from annotate.imports.operations import withdrawals
from annotate.models import ImportedFile, Work
from annotate.work import kept_files
from annotate.work import kinds as work_kinds
from annotate.work.kinds import CannotGoOn, Step

GONE = (ImportedFile.State.WITHDRAWING, ImportedFile.State.WITHDRAWN, ImportedFile.State.REFUSED)


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


def _stage(imported: ImportedFile, kind: Kind, at: int) -> Generator[Step, None, int]:
    """Check the whole file and store it from the record `at` on; returns how many records it has."""
    _check_copies(imported)
    path = kept_files.path(imported.path)
    try:
        total = yield from kind.check_file(imported, path, at)
    except FileRefused as refused:
        # Where a part was stored before a stop or a crash, something else has changed since.
        yield from withdrawals.remove(imported)
        _refuse(imported, refused)
        raise CannotGoOn(f"{imported.name} was refused; nothing was changed.") from None
    if total == 0:
        _refuse(imported, None)
        raise CannotGoOn(f"{imported.name} has no lines; nothing was changed.")
    ImportedFile.objects.filter(pk=imported.pk).update(state=ImportedFile.State.STAGING)
    yield from kind.stage_file(imported, path, at, total)
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


@transaction.atomic
def _publish(imported: ImportedFile, kind: Kind, total: int) -> None:
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

"""Files that a command names: imported, each done or refused by name, or read as a list of pairs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotate.draws.operations.changes import NoReason, TooMany
from annotate.formats import named_pairs, whole_files
from annotate.formats.faults import FileRefused
from annotate.formats.named_pairs import NamedPair
from annotate.imports.operations import uploads
from annotate.management import command_line
from annotate.models import Collection, ImportedFile, required
from annotate.rules import drawing


def import_files(
    command: BaseCommand,
    kind: str,
    files: list[str],
    options: Callable[[Path], dict[str, object]],
    arguments: dict[str, Any],
    texts: Path | None = None,
) -> None:
    """Import the files in their order, each with its options; the exit code is that of the worst one."""
    collection = command_line.collection(arguments["collection"])
    results = [_import(collection, kind, path, options(path), texts) for path in map(Path, files)]
    if arguments["json"]:
        command_line.answer(command, True, {"files": [record for record, _ in results]}, "")
    else:
        for record, code in results:
            stream = command.stderr if code else command.stdout
            stream.write(_in_words(record))
    if worst := max(code for _, code in results):
        raise CommandError(
            f"{sum(code > 0 for _, code in results)} of {len(files)} files added nothing.", returncode=worst
        )


def _import(
    collection: Collection, kind: str, path: Path, options: dict[str, object], texts: Path | None
) -> tuple[dict[str, Any], int]:
    try:
        imported = uploads.receive(
            collection=collection,
            kind=kind,
            name=path.name,
            chunks=whole_files.chunks_of(path),
            options=options,
            by=None,
            now=timezone.now(),
            texts=(texts.name, whole_files.chunks_of(texts)) if texts else None,
        )
    except OSError as error:
        return {"file": str(path), "state": "REFUSED", "faults": [f"{error.filename or path}: {error.strerror}"]}, 2
    except uploads.WrongOptions as reason:
        return {"file": str(path), "state": "REFUSED", "faults": [str(reason)]}, 2
    except uploads.AlreadyImported as reason:
        return {"file": str(path), "state": "ALREADY_IMPORTED", "added": 0, "note": str(reason)}, 1
    ended = command_line.see_through(required(imported.work))
    imported.refresh_from_db()
    record = {
        "file": str(path),
        "state": imported.state,
        "added": imported.added,
        "unchanged": imported.unchanged,
        "left_out": imported.left_out,
        "note": imported.note,
        "faults": imported.faults or ([ended.error] if ended.error else []),
    }
    return record, 0 if imported.state == ImportedFile.State.PUBLISHED else 2


def _in_words(record: dict[str, Any]) -> str:
    if record["state"] == "PUBLISHED":
        unchanged = f", {record['unchanged']:,} were there already" if record["unchanged"] else ""
        note = f" {record['note']}" if record["note"] else ""
        return f"{record['file']}: {record['added']:,} added{unchanged}.{note}"
    if record["state"] == "ALREADY_IMPORTED":
        return str(record["note"])
    return "\n".join([f"{record['file']}: refused, nothing was changed.", *record["faults"]])


def read_pairs(path: str) -> list[NamedPair]:
    """The pairs of a file; ends the command with the faults where it has some."""
    try:
        return named_pairs.parse_pairs(Path(path).read_bytes(), path)
    except OSError as error:
        command_line.wrong(f"{path} cannot be read: {error.strerror}.")
    except FileRefused as refused:
        command_line.wrong(str(refused))


@contextmanager
def draw_refusals() -> Iterator[None]:
    """Inside, bad values end the command as bad input and what stands in the way as refused."""
    try:
        yield
    except (FileRefused, drawing.BadValue, NoReason, TooMany) as reason:
        command_line.wrong(str(reason))
    except drawing.CannotDraw as reason:
        command_line.refuse(str(reason))

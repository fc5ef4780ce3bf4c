"""Importing the files that a command names: each is imported or refused by name."""

from collections.abc import Callable, Iterator
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotate.imports.operations import uploads
from annotate.management import command_line
from annotate.models import Collection, ImportedFile

CHUNK = 1 << 20


def import_files(
    command: BaseCommand,
    kind: str,
    files: list[str],
    options: Callable[[Path], dict[str, object]],
    said: dict,
    texts: Path | None = None,
) -> None:
    """Import the files in their order, each with its options; the exit code is that of the worst one."""
    collection = command_line.collection(said["collection"])
    results = [_import(collection, kind, path, options(path), texts) for path in map(Path, files)]
    if said["json"]:
        command_line.answer(command, True, {"files": [told for told, _ in results]}, "")
    else:
        for told, code in results:
            stream = command.stderr if code else command.stdout
            stream.write(_in_words(told))
    if worst := max(code for _, code in results):
        raise CommandError(
            f"{sum(code > 0 for _, code in results)} of {len(files)} files added nothing.", returncode=worst
        )


def _import(
    collection: Collection, kind: str, path: Path, options: dict[str, object], texts: Path | None
) -> tuple[dict, int]:
    try:
        imported = uploads.receive(
            collection=collection,
            kind=kind,
            name=path.name,
            chunks=_chunks(path),
            options=options,
            by=None,
            now=timezone.now(),
            texts=(texts.name, _chunks(texts)) if texts else None,
        )
    except OSError as error:
        return {"file": str(path), "state": "REFUSED", "faults": [f"{error.filename or path}: {error.strerror}"]}, 2
    except uploads.WrongOptions as reason:
        return {"file": str(path), "state": "REFUSED", "faults": [str(reason)]}, 2
    except uploads.AlreadyImported as reason:
        return {"file": str(path), "state": "ALREADY_IMPORTED", "added": 0, "note": str(reason)}, 1
    ended = command_line.see_through(imported.work)
    imported.refresh_from_db()
    told = {
        "file": str(path),
        "state": imported.state,
        "added": imported.added,
        "unchanged": imported.unchanged,
        "left_out": imported.left_out,
        "note": imported.note,
        "faults": imported.faults or ([ended.error] if ended.error else []),
    }
    return told, 0 if imported.state == ImportedFile.State.PUBLISHED else 2


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            yield chunk


def _in_words(told: dict) -> str:
    if told["state"] == "PUBLISHED":
        unchanged = f", {told['unchanged']:,} were there already" if told["unchanged"] else ""
        note = f" {told['note']}" if told["note"] else ""
        return f"{told['file']}: {told['added']:,} added{unchanged}.{note}"
    if told["state"] == "ALREADY_IMPORTED":
        return told["note"]
    return "\n".join([f"{told['file']}: refused, nothing was changed.", *told["faults"]])

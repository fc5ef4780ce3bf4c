"""Putting a backup into an empty installation, of either database."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model

from annotate.management.backups import archive, files, rows, version
from annotate.management.backups.writing import FILES, ROWS, Counts
from annotate.work import kept_files


class CannotRestore(Exception):
    """The installation or the archive is not fit; the message says why, and nothing was written."""


def restore(path: Path) -> Counts:
    """Check the whole archive, then write its files and, in one transaction, its rows.

    A file that is in the data folder already, with the same bytes, stays there whatever happens.
    Raises archive.Damaged, CannotRestore and OSError.
    """
    with archive.reading(path) as (backup, manifest):
        _check_version(manifest)
        _check_rows(manifest)
        _check_empty()
        kept = _kept_files(manifest)
        written: list[Path] = []
        try:
            for relative in _lacking(kept, manifest["sha256"]):
                written.append(files.put_back(relative, archive.chunks(backup, FILES + relative)))
            _insert_rows(backup, manifest["rows"])
        except BaseException:
            for file in written:
                file.unlink()
            raise
    return Counts(sum(manifest["rows"].values()), len(kept))


@transaction.atomic
def _insert_rows(backup: ZipFile, counts: dict[str, int]) -> None:
    models = rows.models()
    for model in models:
        _insert(model, _lines(backup, model._meta.label_lower))
        if model._base_manager.count() != counts[model._meta.label_lower]:
            raise CannotRestore(f"{model._meta.label_lower} has not the number of rows that the manifest tells.")
    rows.continue_numbering(models)


def _insert(model: type[Model], lines: Iterator[bytes]) -> None:
    try:
        rows.insert(model, lines)
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        raise CannotRestore(f"A row of {model._meta.label_lower} cannot be read: {error!r}.") from error


def _lines(backup: ZipFile, label: str) -> Iterator[bytes]:
    with backup.open(f"{ROWS}{label}.jsonl") as stream:
        yield from stream


def _check_version(manifest: dict[str, Any]) -> None:
    theirs, ours = set(manifest["migrations"]), set(version.migrations())
    if theirs == ours:
        return
    lacking = ", ".join(sorted(theirs - ours)) or "nothing"
    besides = ", ".join(sorted(ours - theirs)) or "nothing"
    raise CannotRestore(
        f"The tables here are not of the version that made the backup (lacking: {lacking}; more: {besides}). "
        "With that version of Lacuna run `manage.py migrate`, restore, and upgrade afterwards."
    )


def _check_rows(manifest: dict[str, Any]) -> None:
    """Each table has its file and its count."""
    for model in rows.models():
        label = model._meta.label_lower
        if label not in manifest["rows"] or f"{ROWS}{label}.jsonl" not in manifest["sha256"]:
            raise CannotRestore(f"The archive has no rows of {label}.")


def _check_empty() -> None:
    there = {model._meta.verbose_name: model._base_manager.count() for model in rows.models()}
    found = [f"{name}: {count:,}" for name, count in there.items() if count]
    if found:
        raise CannotRestore(
            f"This installation is not empty ({', '.join(found)}). "
            "Restore into a new one: set LACUNA_DATA_DIR to an empty folder (or DATABASE_URL to a new database) "
            "and run `manage.py migrate`."
        )


def _kept_files(manifest: dict[str, Any]) -> list[str]:
    kept = [name.removeprefix(FILES) for name in manifest["sha256"] if name.startswith(FILES)]
    for relative in kept:
        if not files.is_kept(relative):
            raise CannotRestore(f"The archive names a file outside of the folders that Lacuna keeps: {relative!r}.")
    return kept


def _lacking(kept: list[str], digests: dict[str, str]) -> list[str]:
    """The files that are to be written. Raises CannotRestore where another one is in the place of a kept file."""
    lacking = [relative for relative in kept if not kept_files.path(relative).exists()]
    for relative in set(kept) - set(lacking):
        if files.digest(relative) != digests[FILES + relative]:
            raise CannotRestore(
                f"The data folder has another {relative} than the archive. Set LACUNA_DATA_DIR to an empty folder."
            )
    return lacking

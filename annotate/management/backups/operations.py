"""Writing a backup while people judge, and putting it into an empty installation of either database."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Model

from annotate.exports import queries as exports_queries
from annotate.management.backups import archive, contents
from annotate.work import kept_files

ROWS = "rows/"
FILES = "files/"


class Counts(NamedTuple):
    rows: int
    files: int


def write_backup(path: Path, *, now: datetime) -> Counts:
    """Write all rows, as they are at one moment, and the kept files. Raises OSError; then nothing is written."""
    with archive.open_new(path) as made:
        counts, row_digests = _add_rows(made)
        # After the rows: a file is in place before the row that names it is committed.
        file_digests = {
            FILES + kept: archive.add_entry(made, FILES + kept, contents.file_chunks(kept))
            for kept in contents.list_files()
        }
        archive.add_manifest(
            made,
            {
                "made_at": now.isoformat(),
                "database": connection.vendor,
                "migrations": contents.applied_migrations(),
                "rows": counts,
                "sha256": row_digests | file_digests,
            },
        )
    return Counts(sum(counts.values()), len(file_digests))


def _add_rows(made: ZipFile) -> tuple[dict[str, int], dict[str, str]]:
    counts, digests = {}, {}
    with exports_queries.snapshot():
        for model in contents.list_models():
            name = f"{ROWS}{model._meta.label_lower}.jsonl"
            counts[model._meta.label_lower] = model._base_manager.count()
            digests[name] = archive.add_entry(made, name, contents.row_lines(model))
    return counts, digests


class CannotRestore(Exception):
    """The installation or the archive is not fit; the message says why, and nothing was written."""


def restore_backup(path: Path) -> Counts:
    """Check the whole archive, then write its files and, in one transaction, its rows.

    A file that is in the data folder already, with the same bytes, stays there whatever happens.
    Raises Damaged, CannotRestore and OSError.
    """
    with archive.open_checked(path) as (backup, manifest):
        _check_version(manifest)
        _check_rows(manifest)
        _check_empty()
        kept = _kept_files(manifest)
        written: list[Path] = []
        try:
            for relative in _lacking(kept, manifest["sha256"]):
                written.append(contents.restore_file(relative, archive.entry_chunks(backup, FILES + relative)))
            _insert_rows(backup, manifest["rows"])
        except BaseException:
            for file in written:
                file.unlink()
            raise
    return Counts(sum(manifest["rows"].values()), len(kept))


@transaction.atomic
def _insert_rows(backup: ZipFile, counts: dict[str, int]) -> None:
    models = contents.list_models()
    for model in models:
        _insert(model, _lines(backup, model._meta.label_lower))
        if model._base_manager.count() != counts[model._meta.label_lower]:
            raise CannotRestore(f"{model._meta.label_lower} has not the number of rows that the manifest tells.")
    contents.continue_numbering(models)


def _insert(model: type[Model], lines: Iterator[bytes]) -> None:
    try:
        contents.insert_rows(model, lines)
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        raise CannotRestore(f"A row of {model._meta.label_lower} cannot be read: {error!r}.") from error


def _lines(backup: ZipFile, label: str) -> Iterator[bytes]:
    with backup.open(f"{ROWS}{label}.jsonl") as stream:
        yield from stream


def _check_version(manifest: dict[str, Any]) -> None:
    theirs, ours = set(manifest["migrations"]), set(contents.applied_migrations())
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
    for model in contents.list_models():
        label = model._meta.label_lower
        if label not in manifest["rows"] or f"{ROWS}{label}.jsonl" not in manifest["sha256"]:
            raise CannotRestore(f"The archive has no rows of {label}.")


def _check_empty() -> None:
    there = {model._meta.verbose_name: model._base_manager.count() for model in contents.list_models()}
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
        if not contents.is_kept_file(relative):
            raise CannotRestore(f"The archive names a file outside of the folders that Lacuna keeps: {relative!r}.")
    return kept


def _lacking(kept: list[str], digests: dict[str, str]) -> list[str]:
    """The files that are to be written. Raises CannotRestore where another one is in the place of a kept file."""
    lacking = [relative for relative in kept if not kept_files.path(relative).exists()]
    for relative in set(kept) - set(lacking):
        if contents.file_digest(relative) != digests[FILES + relative]:
            raise CannotRestore(
                f"The data folder has another {relative} than the archive. Set LACUNA_DATA_DIR to an empty folder."
            )
    return lacking

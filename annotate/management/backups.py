"""Backup and restore: one archive of the database and the kept files."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile
from zlib import error as DeflateError

from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Field, Model

from annotate.exports import queries as exports_queries
from annotate.formats import whole_files
from annotate.formats.whole_files import Damaged
from annotate.work import kept_files


def list_files() -> list[str]:
    """Every kept file, relative to the data folder."""
    root = kept_files.path(".")
    found = (path for folder in kept_files.FOLDERS for path in (root / folder).rglob("*") if path.is_file())
    names = (path.relative_to(root) for path in found)
    return sorted(name.as_posix() for name in names if not any(part.startswith(".") for part in name.parts))


def file_chunks(relative: str) -> Iterator[bytes]:
    return whole_files.chunks_of(kept_files.path(relative))


def file_digest(relative: str) -> str:
    """The SHA-256 of a kept file."""
    return whole_files.digest_file(kept_files.path(relative))


def is_kept_file(relative: str) -> bool:
    """Whether the path is of a kept file: in one of the folders, and not out of it again by a `..`."""
    parts = PurePosixPath(relative).parts
    return len(parts) > 1 and parts[0] in kept_files.FOLDERS and ".." not in parts and "\\" not in relative


def restore_file(relative: str, chunks: Iterable[bytes]) -> Path:
    """Write a kept file, whole or not at all."""
    path = kept_files.path(relative)
    whole_files.write(path, chunks)
    return path


# Made by migrations or of the moment. Lacuna uses no groups and no permissions of Django's own.
_LEFT_OUT_APPS = {"auth", "axes", "contenttypes", "sessions"}
_LEFT_OUT_MODELS = {"annotate.worker"}
_BATCH = 1000


def list_models() -> list[type[Model]]:
    """Every model that a backup holds, the tables between two models included, in the order of the apps."""
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if not _apps_of(model) & _LEFT_OUT_APPS and model._meta.label_lower not in _LEFT_OUT_MODELS
    ]


def _apps_of(model: type[Model]) -> set[str]:
    """The app of the model; for a table between two models also the apps of both."""
    joined = [field.related_model for field in stored_fields(model) if field.related_model and model._meta.auto_created]
    return {model._meta.app_label, *(other._meta.app_label for other in joined)}


def stored_fields(model: type[Model]) -> "list[Field[Any, Any]]":
    return [field for field in model._meta.concrete_fields if not field.generated]


def row_lines(model: type[Model]) -> Iterator[bytes]:
    """A JSON object a row, by primary key, streamed."""
    names = [field.attname for field in stored_fields(model)]
    for values in model._base_manager.order_by("pk").values_list(*names).iterator(chunk_size=_BATCH):
        row = json.dumps(dict(zip(names, values, strict=True)), ensure_ascii=False, allow_nan=False, default=_as_text)
        yield row.encode() + b"\n"


def _as_text(value: object) -> str:
    # Not Django's encoder: it cuts times to milliseconds.
    return value.isoformat() if isinstance(value, date) else str(value)


def insert_rows(model: type[Model], lines: Iterable[bytes]) -> None:
    """Put the rows in as they were, primary keys included; neither `save` nor a field's default has a say."""
    columns = stored_fields(model)
    table, *names = map(connection.ops.quote_name, [model._meta.db_table, *(str(field.column) for field in columns)])
    statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(['%s'] * len(columns))})"
    with connection.cursor() as cursor:
        cursor.executemany(statement, (_stored(columns, json.loads(line)) for line in lines))  # type: ignore[arg-type]  # streamed


def _stored(columns: "list[Field[Any, Any]]", row: dict[str, Any]) -> list[Any]:
    return [field.get_db_prep_save(field.to_python(row[field.attname]), connection) for field in columns]


def continue_numbering(models: list[type[Model]]) -> None:
    """Let the database count on after the highest primary keys; SQLite does so by itself."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def applied_migrations() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


FORMAT = "lacuna backup 1"
MANIFEST = "manifest.json"
_PARTS = {"migrations": list, "rows": dict, "sha256": dict}
_CHUNK = 1 << 20


@contextmanager
def open_new(path: Path) -> Iterator[ZipFile]:
    """A new archive that is at `path` when the block ends well, and nowhere otherwise; only its owner may read it.

    Raises FileExistsError where something is at `path` already.
    """
    if path.exists():
        raise FileExistsError(f"{path} exists already; a backup replaces nothing.")
    path.parent.stat()  # a backup makes no folder: it may be the place of a disk that is not there
    with whole_files.replace(path) as stream, ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        yield archive


def add_entry(archive: ZipFile, name: str, chunks: Iterable[bytes]) -> str:
    """Stream an entry in; returns the SHA-256 of its bytes."""
    digest = hashlib.sha256()
    with archive.open(name, "w", force_zip64=True) as stream:
        for chunk in chunks:
            digest.update(chunk)
            stream.write(chunk)
    return digest.hexdigest()


def add_manifest(archive: ZipFile, manifest: dict[str, Any]) -> None:
    archive.writestr(MANIFEST, json.dumps({"format": FORMAT, **manifest}, indent=2))


@contextmanager
def open_checked(path: Path) -> Iterator[tuple[ZipFile, dict[str, Any]]]:
    """The archive at `path` and its manifest, once every byte of it is checked. Raises Damaged and OSError."""
    try:
        archive = ZipFile(path)
    except BadZipFile as error:
        raise Damaged(f"{path} is not a backup, or not a whole one: {error}") from error
    with archive:
        try:
            manifest = _manifest(archive)
            _check(archive, manifest["sha256"])
        except (BadZipFile, DeflateError, EOFError, ValueError, KeyError, TypeError) as error:
            raise Damaged(f"{path} is damaged: {error}") from error
        yield archive, manifest


def entry_chunks(archive: ZipFile, name: str) -> Iterator[bytes]:
    """The bytes of an entry, a megabyte at a time."""
    with archive.open(name) as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _manifest(archive: ZipFile) -> dict[str, Any]:
    if MANIFEST not in archive.namelist():
        raise ValueError("it has no manifest.json.")
    try:
        manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
    except RecursionError:
        raise ValueError("its manifest is nested too deeply.") from None
    if not isinstance(manifest, dict) or "format" not in manifest:
        raise ValueError("its manifest is none of a backup.")
    if manifest["format"] != FORMAT:
        raise ValueError(f"its format is {manifest['format']!r}, not {FORMAT!r}.")
    for name, kind in _PARTS.items():
        if not isinstance(manifest.get(name), kind):
            raise ValueError(f"its manifest lacks {name}.")
    return manifest


def _check(archive: ZipFile, digests: dict[str, str]) -> None:
    if sorted(archive.namelist()) != sorted([MANIFEST, *digests]):
        raise ValueError("its entries are not those of its manifest.")
    for name, expected in digests.items():
        digest = hashlib.sha256()
        for chunk in entry_chunks(archive, name):
            digest.update(chunk)
        if digest.hexdigest() != expected:
            raise ValueError(f"{name} does not have the SHA-256 of the manifest.")


ROWS = "rows/"
FILES = "files/"


class Counts(NamedTuple):
    rows: int
    files: int


def write_backup(path: Path, *, now: datetime) -> Counts:
    """Write all rows, as they are at one moment, and the kept files. Raises OSError; then nothing is written."""
    with open_new(path) as made:
        counts, row_digests = _add_rows(made)
        # After the rows: a file is in place before the row that names it is committed.
        file_digests = {FILES + kept: add_entry(made, FILES + kept, file_chunks(kept)) for kept in list_files()}
        add_manifest(
            made,
            {
                "made_at": now.isoformat(),
                "database": connection.vendor,
                "migrations": applied_migrations(),
                "rows": counts,
                "sha256": row_digests | file_digests,
            },
        )
    return Counts(sum(counts.values()), len(file_digests))


def _add_rows(made: ZipFile) -> tuple[dict[str, int], dict[str, str]]:
    counts, digests = {}, {}
    with exports_queries.snapshot():
        for model in list_models():
            name = f"{ROWS}{model._meta.label_lower}.jsonl"
            counts[model._meta.label_lower] = model._base_manager.count()
            digests[name] = add_entry(made, name, row_lines(model))
    return counts, digests


class CannotRestore(Exception):
    """The installation or the archive is not fit; the message says why, and nothing was written."""


def restore_backup(path: Path) -> Counts:
    """Check the whole archive, then write its files and, in one transaction, its rows.

    A file that is in the data folder already, with the same bytes, stays there whatever happens.
    Raises Damaged, CannotRestore and OSError.
    """
    with open_checked(path) as (backup, manifest):
        _check_version(manifest)
        _check_rows(manifest)
        _check_empty()
        kept = _kept_files(manifest)
        written: list[Path] = []
        try:
            for relative in _lacking(kept, manifest["sha256"]):
                written.append(restore_file(relative, entry_chunks(backup, FILES + relative)))
            _insert_rows(backup, manifest["rows"])
        except BaseException:
            for file in written:
                file.unlink()
            raise
    return Counts(sum(manifest["rows"].values()), len(kept))


@transaction.atomic
def _insert_rows(backup: ZipFile, counts: dict[str, int]) -> None:
    models = list_models()
    for model in models:
        _insert(model, _lines(backup, model._meta.label_lower))
        if model._base_manager.count() != counts[model._meta.label_lower]:
            raise CannotRestore(f"{model._meta.label_lower} has not the number of rows that the manifest tells.")
    continue_numbering(models)


def _insert(model: type[Model], lines: Iterator[bytes]) -> None:
    names_file = any(field.attname == "path" for field in stored_fields(model))
    try:
        insert_rows(model, map(_refuse_other_paths, lines) if names_file else lines)
    except RecursionError:
        raise CannotRestore(f"A row of {model._meta.label_lower} is nested too deeply.") from None
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        raise CannotRestore(f"A row of {model._meta.label_lower} cannot be read: {error!r}.") from error


def _refuse_other_paths(line: bytes) -> bytes:
    relative = json.loads(line)["path"]
    if relative and not is_kept_file(relative):
        raise CannotRestore(f"A row names a file outside of the folders that Lacuna keeps: {relative!r}.")
    return line


def _lines(backup: ZipFile, label: str) -> Iterator[bytes]:
    with backup.open(f"{ROWS}{label}.jsonl") as stream:
        yield from stream


def _check_version(manifest: dict[str, Any]) -> None:
    theirs, ours = set(manifest["migrations"]), set(applied_migrations())
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
    for model in list_models():
        label = model._meta.label_lower
        if label not in manifest["rows"] or f"{ROWS}{label}.jsonl" not in manifest["sha256"]:
            raise CannotRestore(f"The archive has no rows of {label}.")


def _check_empty() -> None:
    there = {model._meta.verbose_name: model._base_manager.count() for model in list_models()}
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
        if not is_kept_file(relative):
            raise CannotRestore(f"The archive names a file outside of the folders that Lacuna keeps: {relative!r}.")
    return kept


def _lacking(kept: list[str], digests: dict[str, str]) -> list[str]:
    """The files that are to be written. Raises CannotRestore where another one is in the place of a kept file."""
    lacking = [relative for relative in kept if not kept_files.path(relative).exists()]
    for relative in set(kept) - set(lacking):
        if file_digest(relative) != digests[FILES + relative]:
            raise CannotRestore(
                f"The data folder has another {relative} than the archive. Set LACUNA_DATA_DIR to an empty folder."
            )
    return lacking

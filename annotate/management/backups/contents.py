"""What an installation holds: kept files, rows as JSON lines (the same on both databases), version of the tables."""

import json
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Field, Model

from annotate.formats import whole_files
from annotate.work import kept_files


def list_files() -> list[str]:
    """Every kept file, relative to the data folder."""
    root = kept_files.path(".")
    found = (path for folder in kept_files.FOLDERS for path in (root / folder).rglob("*") if path.is_file())
    return sorted(path.relative_to(root).as_posix() for path in found if not path.name.startswith("."))


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

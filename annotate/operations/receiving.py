"""Taking a file in: its bytes are kept under their digest, a row says what it is, a piece of work will read it."""

import hashlib
import os
import tempfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from django.db import transaction

from annotate.models import Collection, ImportedFile, Rater, User
from annotate.operations import queueing
from annotate.queries import kept_files
from annotate.rules import rater_names

STAGE = "import"
LIVE = (ImportedFile.State.WAITING, ImportedFile.State.STAGING, ImportedFile.State.PUBLISHED)


class AlreadyImported(Exception):
    """The same bytes are in the collection already, for the same purpose: nothing is added."""

    def __init__(self, earlier: ImportedFile) -> None:
        since = f"since {earlier.created_at:%Y-%m-%d %H:%M} UTC"
        if earlier.state == ImportedFile.State.PUBLISHED:
            state = f"is imported {since}"
        elif earlier.work and earlier.work.is_over:
            state = "was stopped half-way (take it up again, or withdraw it)"
        else:
            state = f"is being imported {since}"
        super().__init__(f"{earlier.name}: the same file {state}; nothing was added.")
        self.earlier = earlier


class WrongOptions(ValueError):
    """What was said about the file does not fit; the message says why."""


def receive(
    *,
    collection: Collection,
    kind: str,
    name: str,
    chunks: Iterable[bytes],
    options: dict[str, object],
    by: User | None,
    now: datetime,
) -> ImportedFile:
    """Keep the bytes and queue their reading. Raises AlreadyImported or WrongOptions; then nothing is kept.

    `options`: for qrels `rater` and `rater_kind`; for a run `group`, `model_family`, `is_pooled`.
    """
    _check_lengths(Path(name).name, options)
    _check_options(collection, kind, options)
    digest, path = _keep(chunks)
    return _enter(collection, kind, name, digest, path, options, by, now)


@transaction.atomic
def _enter(
    collection: Collection,
    kind: str,
    name: str,
    digest: str,
    path: str,
    options: dict[str, object],
    by: User | None,
    now: datetime,
) -> ImportedFile:
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    same = ImportedFile.objects.filter(collection=collection, kind=kind, digest=digest, state__in=LIVE)
    for earlier in same:
        if kind != ImportedFile.Kind.QRELS or earlier.options.get("rater") == options.get("rater"):
            raise AlreadyImported(earlier)
    imported = ImportedFile.objects.create(
        collection=collection,
        kind=kind,
        name=Path(name).name,
        path=path,
        digest=digest,
        options=options,
        created_at=now,
        created_by=by,
    )
    imported.work = queueing.enqueue(
        collection=collection,
        kind=STAGE,
        lane=queueing.FACTS,
        subject=f"import of {imported.name}",
        arguments={"imported_file": imported.pk},
        by=by,
        now=now,
    )
    imported.save(update_fields=["work"])
    return imported


def _check_lengths(name: str, options: dict[str, object]) -> None:
    """SQLite would keep what PostgreSQL refuses."""
    group, family = (str(options.get(option, "")) for option in ("group", "model_family"))
    for what, text, most in [("file's name", name, 255), ("group", group, 100), ("model family", family, 100)]:
        if len(text) > most:
            raise WrongOptions(f"The {what} has {len(text)} characters; it may have {most}.")


def _check_options(collection: Collection, kind: str, options: dict[str, object]) -> None:
    if kind != ImportedFile.Kind.QRELS:
        return
    try:
        name = rater_names.check(str(options.get("rater", "")))
    except rater_names.BadName as reason:
        raise WrongOptions(str(reason)) from None
    if options.get("rater_kind") not in Rater.Kind.values:
        raise WrongOptions("Say whether the rater is a reference (people's qrels) or a model.")
    there = Rater.objects.filter(collection=collection, name=name).first()
    if there and there.kind != options["rater_kind"]:
        raise WrongOptions(f"The rater {name} is a {there.get_kind_display()} in this collection already.")
    if there and there.judge not in ("", "imported"):
        raise WrongOptions(f"The grades of {name} did not come from files; give the file's rater another name.")


def _keep(chunks: Iterable[bytes]) -> tuple[str, str]:
    """Write the bytes below the data folder, named by their digest; the same bytes are kept once."""
    folder = kept_files.folder("imports")
    digest = hashlib.sha256()
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".incoming-", delete=False) as file:
        try:
            for chunk in chunks:
                digest.update(chunk)
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, folder / digest.hexdigest())
        except BaseException:
            os.unlink(file.name)
            raise
    return digest.hexdigest(), f"imports/{digest.hexdigest()}"

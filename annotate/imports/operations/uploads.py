"""Receiving a file: its bytes are kept under their digest, a row says what it is, a piece of work will read it."""

from collections.abc import Generator, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotate.formats import model_grades, whole_files
from annotate.formats.faults import FileRefused
from annotate.imports.kinds import KINDS, Kind
from annotate.imports.operations import withdrawals
from annotate.models import Collection, ImportedFile, Rater, Run, User, Work, raters
from annotate.work import kept_files, queue
from annotate.work.queue import CannotGoOn, Step

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
    texts: tuple[str, Iterable[bytes]] | None = None,
) -> ImportedFile:
    """Keep the bytes and queue their reading. Raises AlreadyImported or WrongOptions; then nothing is kept.

    `options`: for qrels `rater` and `rater_kind`; for grades of models `rater` and `format`, both perhaps empty; for a
    run `group`, `model_family`, `is_pooled`, `ranks_variants`.
    `texts`: name and bytes of the topics file that has the texts of query variants.
    """
    _check_lengths(Path(name).name, options)
    _check_options(collection, kind, options)
    if texts is not None:
        options = options | {"texts": _keep_texts(*texts)}
    digest, path = keep_bytes(chunks)
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
        if _purpose(kind, earlier.options) == _purpose(kind, options):
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
    imported.work = queue.enqueue(
        collection=collection,
        kind=STAGE,
        queue=queue.FACTS,
        subject=f"import of {imported.name}",
        arguments={"imported_file": imported.pk},
        by=by,
        now=now,
    )
    imported.save(update_fields=["work"])
    return imported


def _purpose(kind: str, options: dict[str, Any]) -> object:
    """What else tells two files of the same bytes apart."""
    if kind == ImportedFile.Kind.VARIANTS:
        return options.get("texts", {}).get("digest")
    return options.get("rater")


def _keep_texts(name: str, chunks: Iterable[bytes]) -> dict[str, object]:
    _check_lengths(Path(name).name, {})
    digest, path = keep_bytes(chunks)
    return {"name": Path(name).name, "digest": digest, "path": path}


def _check_lengths(name: str, options: dict[str, object]) -> None:
    """SQLite would keep what PostgreSQL refuses."""
    group, family = (str(options.get(option, "")) for option in ("group", "model_family"))
    for what, text, most in [("file's name", name, 255), ("group", group, 100), ("model family", family, 100)]:
        if len(text) > most:
            raise WrongOptions(f"The {what} has {len(text)} characters; it may have {most}.")


def _check_options(collection: Collection, kind: str, options: dict[str, object]) -> None:
    if kind == ImportedFile.Kind.QRELS:
        if options.get("rater_kind") not in Rater.Kind.values:
            raise WrongOptions("Say whether the rater is a reference (people's qrels) or a model.")
        _check_rater(collection, str(options.get("rater", "")), str(options["rater_kind"]))
    if kind == ImportedFile.Kind.GRADES:
        if options.get("format", "") not in ("", *model_grades.FORMATS):
            raise WrongOptions(f"Formats are {', '.join(model_grades.FORMATS)}.")
        if name := options.get("rater"):
            _check_rater(collection, str(name), Rater.Kind.MODEL)


def _check_rater(collection: Collection, name: str, kind: str) -> None:
    try:
        raters.check_rater_name(name)
    except raters.BadName as reason:
        raise WrongOptions(str(reason)) from None
    there = Rater.objects.filter(collection=collection, name=name).first()
    if there and there.kind != kind:
        raise WrongOptions(f"The rater {name} is a {there.get_kind_display()} in this collection already.")
    if there and there.judge not in ("", "imported"):
        raise WrongOptions(f"The grades of {name} did not come from files; give the file's rater another name.")


def keep_bytes(chunks: Iterable[bytes]) -> tuple[str, str]:
    """Write the bytes below the data folder, named by their digest; the same bytes are kept once."""
    digest = whole_files.write_by_digest(kept_files.folder("imports"), chunks)
    return digest, f"imports/{digest}"


@transaction.atomic
def change_families(*, imported: ImportedFile, families: str) -> None:
    """Of the runs of a file and all others of the same tags: they are one system. Names stand between commas."""
    Collection.objects.select_for_update(no_key=True).get(pk=imported.collection_id)
    tags = imported.runs.values_list("tag", flat=True)
    named = ", ".join(filter(None, (part.strip() for part in families.split(","))))
    Run.objects.filter(collection=imported.collection_id, tag__in=list(tags)).update(model_family=named)


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
        queue.let_others_write()
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

"""What the commands share: finding the collection, reading files, progress, answers in words or JSON, exit codes.

Exit codes: 0 done, 1 nothing to do or refused, 2 wrong use or bad input.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from annotate.draws.operations.changes import NoReason, TooMany
from annotate.formats import named_pairs, whole_files
from annotate.formats.faults import FileRefused, Refused
from annotate.formats.named_pairs import NamedPair
from annotate.formats.records import GradeScale
from annotate.imports.operations import uploads
from annotate.models import Collection, ImportedFile, Work, required
from annotate.pairs import refresh
from annotate.rules import drawing
from annotate.work import engine


def add_example(parser: CommandParser, example: str) -> None:
    """Every command's --help ends with an example that can be typed."""
    parser.epilog = f"example: python manage.py {example}"


def add_collection(parser: CommandParser) -> None:
    parser.add_argument("--collection", required=True, metavar="SLUG", help="short name of the collection")
    add_json(parser)


def add_json(parser: CommandParser) -> None:
    parser.add_argument("--json", action="store_true", help="answer in JSON on standard output")


def find_collection(slug: str) -> Collection:
    found = Collection.objects.filter(slug=slug).first()
    if found is None:
        known = ", ".join(Collection.objects.order_by("slug").values_list("slug", flat=True)[:20]) or "none yet"
        wrong(f"There is no collection {slug}. There are: {known}.")
    return found


def parse_scale(text: str) -> GradeScale:
    try:
        return GradeScale.parse(text)
    except Refused as reason:
        wrong(str(reason))


def wrong(sentence: str) -> NoReturn:
    """Wrong use or bad input."""
    raise CommandError(sentence, returncode=2)


def refuse(sentence: str) -> NoReturn:
    """Nothing to do, or refused for the state that things are in."""
    raise CommandError(sentence, returncode=1)


def answer(command: BaseCommand, as_json: bool, record: Mapping[str, object], sentence: str) -> None:
    command.stdout.write(json.dumps(record) if as_json else sentence)


def see_through(queued: Work) -> Work:
    """Run queued work to its end with progress on the terminal."""
    ended = engine.see_through(queued.pk, _show if sys.stderr.isatty() else lambda row: None)
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    return ended


def let_pairs_follow(collection: Collection) -> None:
    """See the work through that brings the pairs of a large collection in line with a change, where there is some."""
    if queued := refresh.unfinished_work(collection):
        ended = see_through(queued)
        if ended.state != Work.State.DONE:
            refuse(f"The change is stored, but its pairs do not follow yet: {ended.error or 'the work was stopped'}")


def _show(row: Work) -> None:
    share = f"{row.done:,} of {row.total:,}" if row.total else f"{row.done:,}"
    sys.stderr.write(f"\r\033[K{row.subject}: {share} {row.note}")
    sys.stderr.flush()


class ImportCommand(BaseCommand):
    """Takes files of one kind in, one after the other; the exit code is that of the worst one."""

    kind: ImportedFile.Kind
    example: str

    def add_arguments(self, parser: CommandParser) -> None:
        add_example(parser, self.example)
        add_collection(parser)
        parser.add_argument("files", nargs="+", metavar="FILE")

    def describe(self, path: Path, options: dict[str, Any]) -> dict[str, object]:
        """What is said of a file beside its content."""
        return {}

    def handle(self, *, files: list[str], texts: Path | None = None, **options: Any) -> None:
        collection = find_collection(options["collection"])
        paths = [Path(name) for name in files]
        results = [_import(collection, self.kind, path, self.describe(path, options), texts) for path in paths]
        if options["json"]:
            answer(self, True, {"files": [record for record, _ in results]}, "")
        else:
            for record, code in results:
                stream = self.stderr if code else self.stdout
                stream.write(_in_words(record))
        if worst := max(code for _, code in results):
            failed = sum(code > 0 for _, code in results)
            raise CommandError(f"{failed} of {len(files)} files added nothing.", returncode=worst)


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
    ended = see_through(required(imported.work))
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
        wrong(f"{path} cannot be read: {error.strerror}.")
    except FileRefused as refused:
        wrong(str(refused))


@contextmanager
def draw_refusals() -> Iterator[None]:
    """Inside, bad values end the command as bad input and what stands in the way as refused."""
    try:
        yield
    except (FileRefused, drawing.BadValue, NoReason, TooMany) as reason:
        wrong(str(reason))
    except drawing.CannotDraw as reason:
        refuse(str(reason))

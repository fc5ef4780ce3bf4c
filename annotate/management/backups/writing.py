"""Making a backup while people judge."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from django.db import connection

from annotate.exports.queries import snapshots
from annotate.management.backups import archive, files, rows, version

ROWS = "rows/"
FILES = "files/"


class Counts(NamedTuple):
    rows: int
    files: int


def write(path: Path, *, now: datetime) -> Counts:
    """Write all rows, as they are at one moment, and the kept files. Raises OSError; then nothing is written."""
    with archive.writing(path) as made:
        counts, row_digests = _add_rows(made)
        # After the rows: a file is in place before the row that names it is committed.
        file_digests = {FILES + kept: archive.add(made, FILES + kept, files.chunks(kept)) for kept in files.paths()}
        archive.add_manifest(
            made,
            {
                "made_at": now.isoformat(),
                "database": connection.vendor,
                "migrations": version.migrations(),
                "rows": counts,
                "sha256": row_digests | file_digests,
            },
        )
    return Counts(sum(counts.values()), len(file_digests))


def _add_rows(made: ZipFile) -> tuple[dict[str, int], dict[str, str]]:
    counts, digests = {}, {}
    with snapshots.snapshot():
        for model in rows.models():
            name = f"{ROWS}{model._meta.label_lower}.jsonl"
            counts[model._meta.label_lower] = model._base_manager.count()
            digests[name] = archive.add(made, name, rows.lines(model))
    return counts, digests

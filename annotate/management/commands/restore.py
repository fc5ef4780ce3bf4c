"""`manage.py restore FILE`: a backup into an empty installation."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from annotate.management.backups import archive, restoring


class Command(BaseCommand):
    help = (
        "Put a backup into an empty installation, of SQLite or PostgreSQL whichever made it; all of it or nothing. "
        "Example: LACUNA_DATA_DIR=/srv/new manage.py migrate && LACUNA_DATA_DIR=/srv/new manage.py restore FILE"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="what `manage.py backup` wrote")

    def handle(self, *, file: Path, **_: Any) -> None:
        try:
            counts = restoring.restore(file)
        except (archive.Damaged, restoring.CannotRestore, OSError, DatabaseError) as error:
            raise CommandError(f"Nothing was restored: {error}") from error
        self.stdout.write(f"{file}: {counts.rows:,} rows and {counts.files:,} files are back.")

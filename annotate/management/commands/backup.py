"""`manage.py backup FILE`: everything an installation holds, in one file, while people judge."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from annotate.management.backups import writing


class Command(BaseCommand):
    help = (
        "Write all rows (as they are at one moment) and all kept files into one file, also while people judge. "
        "It holds password hashes: keep it safe. Example: manage.py backup lacuna-monday.zip"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="the zip to write; must not exist")

    def handle(self, *, file: Path, **_: Any) -> None:
        try:
            counts = writing.write(file, now=timezone.now())
        except OSError as error:
            raise CommandError(f"No backup was written: {error}") from error
        self.stdout.write(f"{file}: {counts.rows:,} rows and {counts.files:,} files.")

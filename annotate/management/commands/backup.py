"""`manage.py backup FILE`: everything an installation holds, in one file, while people judge."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.management import backups as backups_operations
from annotate.management import command_line


class Command(BaseCommand):
    help = (
        "Write all rows (as they are at one moment) and all kept files into one file, also while people judge. "
        "It holds password hashes: keep it safe."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "backup lacuna-monday.zip")
        parser.add_argument("file", type=Path, metavar="FILE", help="the zip to write; must not exist")
        command_line.add_json(parser)

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            counts = backups_operations.write_backup(file, now=timezone.now())
        except FileExistsError as error:
            command_line.refuse(f"No backup was written: {error}")
        except OSError as error:
            command_line.wrong(f"No backup was written: {error}")
        record = {"file": str(file), "rows": counts.rows, "files": counts.files}
        command_line.answer(self, options["json"], record, f"{file}: {counts.rows:,} rows and {counts.files:,} files.")

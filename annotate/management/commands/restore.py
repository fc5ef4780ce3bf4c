"""`manage.py restore FILE`: a backup into an empty installation."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError

from annotate.formats.whole_files import Damaged
from annotate.management import backups as backups_operations
from annotate.management import command_line


class Command(BaseCommand):
    help = (
        "Put a backup into an empty installation, of SQLite or PostgreSQL whichever made it; all of it or nothing. "
        "Set LACUNA_DATA_DIR to a new folder and run `manage.py migrate` there first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "restore lacuna-monday.zip")
        parser.add_argument("file", type=Path, metavar="FILE", help="what `manage.py backup` wrote")
        command_line.add_json(parser)

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            counts = backups_operations.restore_backup(file)
        except (Damaged, OSError) as error:
            command_line.wrong(f"Nothing was restored: {error}")
        except (backups_operations.CannotRestore, DatabaseError) as error:
            command_line.refuse(f"Nothing was restored: {error}")
        record = {"file": str(file), "rows": counts.rows, "files": counts.files}
        sentence = f"{file}: {counts.rows:,} rows and {counts.files:,} files are back."
        command_line.answer(self, options["json"], record, sentence)

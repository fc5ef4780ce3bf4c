import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.exports import queries
from annotate.formats import whole_files
from annotate.management import command_line


class Command(BaseCommand):
    help = (
        "Write every judgment of people as a table: replaced versions, hidden repeats and pairs that cannot be judged, "
        "with comments, times in UTC and what was shown."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "export_judgments --collection dl19 --out judgments.csv")
        command_line.add_collection(parser)
        parser.add_argument(
            "--out", metavar="FILE", help="ends in .csv or .jsonl (default: JSON lines to the standard output)"
        )

    def handle(self, *, out: str | None, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        kind = Path(out).suffix.removeprefix(".") if out else "jsonl"
        if kind not in queries.JUDGMENT_FILES:
            command_line.wrong(f"Judgments are written as .csv or as .jsonl: {out} ends in neither. Rename the file.")
        lines = queries.judgment_lines(collection, kind)
        if out is None:
            sys.stdout.buffer.writelines(lines)
            return
        try:
            digest = whole_files.write(Path(out), lines, mode=whole_files.PUBLIC)
        except OSError as error:
            command_line.wrong(f"Nothing can be written to {out}: {error.strerror}.")
        command_line.answer(self, options["json"], {"out": out, "sha256": digest}, f"{out} is written.")

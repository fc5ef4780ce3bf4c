from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.management import command_line
from annotate.models import ImportedFile


class Command(BaseCommand):
    help = "Import qrels as the grades of a named rater: a reference (people) or a model."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "import_qrels --collection dl19 --rater nist qrels.txt")
        command_line.add_collection(parser)
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument(
            "--rater", help="whose grades they are; several files are its parts (default: a rater for each file's name)"
        )
        parser.add_argument("--model", action="store_true", help="the rater is a model; off-scale grades are counted")

    def handle(self, *, files: list[str], rater: str | None, model: bool, **options: Any) -> None:
        kind = "MODEL" if model else "REFERENCE"

        def describe(path: Path) -> dict[str, object]:
            return {"rater": rater or path.name.removesuffix(".gz").rsplit(".", 1)[0], "rater_kind": kind}

        command_line.import_files(self, ImportedFile.Kind.QRELS, files, describe, options)

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.management.command_line import ImportCommand
from annotate.models import ImportedFile


class Command(ImportCommand):
    help = "Import qrels as the grades of a named rater: a reference (people) or a model."
    kind = ImportedFile.Kind.QRELS
    example = "import_qrels --collection dl19 --rater nist qrels.txt"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--rater", help="whose grades they are; several files are its parts (default: a rater for each file's name)"
        )
        parser.add_argument("--model", action="store_true", help="the rater is a model; off-scale grades are counted")

    def describe(self, path: Path, options: dict[str, Any]) -> dict[str, object]:
        rater = options["rater"] or path.name.removesuffix(".gz").rsplit(".", 1)[0]
        return {"rater": rater, "rater_kind": "MODEL" if options["model"] else "REFERENCE"}

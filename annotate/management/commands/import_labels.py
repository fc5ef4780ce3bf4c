from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.formats import model_grades
from annotate.management.command_line import ImportCommand
from annotate.models import ImportedFile


class Command(ImportCommand):
    help = "Import grades that models gave elsewhere; grades off the scale and pairs not in the collection are counted."
    kind = ImportedFile.Kind.GRADES
    example = "import_labels --collection dl21 --rater umbrela-gpt-4o judgments.jsonl"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--rater", default="", help="default: the models that a file names, else the file's name")
        parser.add_argument("--format", choices=model_grades.FORMATS, default="", help="default: as it begins")

    def describe(self, path: Path, options: dict[str, Any]) -> dict[str, object]:
        return {"rater": options["rater"], "format": options["format"]}

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.formats import model_grades
from annotate.management import command_line
from annotate.models import ImportedFile


class Command(BaseCommand):
    help = "Import grades that models gave elsewhere; grades off the scale and pairs not in the collection are counted."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "import_labels --collection dl21 --rater umbrela-gpt-4o judgments.jsonl")
        command_line.add_collection(parser)
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--rater", default="", help="default: the models that a file names, else the file's name")
        parser.add_argument("--format", choices=model_grades.FORMATS, default="", help="default: as it begins")

    def handle(self, *, files: list[str], rater: str, format: str, **options: Any) -> None:
        described: dict[str, object] = {"rater": rater, "format": format}
        command_line.import_files(self, ImportedFile.Kind.GRADES, files, lambda path: described, options)

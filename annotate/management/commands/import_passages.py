from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.management import command_line
from annotate.models import ImportedFile


class Command(BaseCommand):
    help = "Import passages: id<TAB>text or JSON lines, plain or .gz."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "import_passages --collection dl19 passages.tsv")
        command_line.add_collection(parser)
        parser.add_argument("files", nargs="+", metavar="FILE")

    def handle(self, *, files: list[str], **options: Any) -> None:
        command_line.import_files(self, ImportedFile.Kind.PASSAGES, files, lambda path: {}, options)

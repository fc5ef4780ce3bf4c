from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.management import command_line
from annotate.models import ImportedFile


class Command(BaseCommand):
    help = (
        "Import query variants: variant<TAB>topic<TAB>profile<TAB>number, or JSON lines with variant_id, query_id, "
        "profile, number and text; plain or .gz."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "import_variants --collection dl21 mapping.tsv --texts variants.tsv")
        command_line.add_collection(parser)
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument(
            "--texts", type=Path, metavar="FILE", help="a topics file with the texts, where the mapping has none"
        )

    def handle(self, *, files: list[str], texts: Path | None, **options: Any) -> None:
        command_line.import_files(self, ImportedFile.Kind.VARIANTS, files, lambda path: {}, options, texts=texts)

from pathlib import Path

from django.core.management.base import CommandParser

from annotate.management.command_line import ImportCommand
from annotate.models import ImportedFile


class Command(ImportCommand):
    help = (
        "Import query variants: variant<TAB>topic<TAB>profile<TAB>number, or JSON lines with variant_id, query_id, "
        "profile, number and text; plain or .gz."
    )
    kind = ImportedFile.Kind.VARIANTS
    example = "import_variants --collection dl21 mapping.tsv --texts variants.tsv"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--texts", type=Path, metavar="FILE", help="a topics file with the texts, where the mapping has none"
        )

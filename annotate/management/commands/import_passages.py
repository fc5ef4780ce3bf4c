from annotate.management.command_line import ImportCommand
from annotate.models import ImportedFile


class Command(ImportCommand):
    help = "Import passages: id<TAB>text or JSON lines, plain or .gz."
    kind = ImportedFile.Kind.PASSAGES
    example = "import_passages --collection dl19 passages.tsv"

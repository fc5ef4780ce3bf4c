from annotate.management.command_line import ImportCommand
from annotate.models import ImportedFile


class Command(ImportCommand):
    help = "Import topics: id<TAB>text or JSON lines, plain or .gz."
    kind = ImportedFile.Kind.TOPICS
    example = "import_topics --collection dl19 topics.tsv"

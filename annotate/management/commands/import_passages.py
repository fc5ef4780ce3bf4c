from django.core.management.base import BaseCommand

from annotate.management import command_line, named_files
from annotate.models import ImportedFile


class Command(BaseCommand):
    help = "Import passages: id<TAB>text or JSON lines, plain or .gz."

    def add_arguments(self, parser):
        command_line.add_example(parser, "import_passages --collection dl19 passages.tsv")
        command_line.add_collection(parser)
        parser.add_argument("files", nargs="+", metavar="FILE")

    def handle(self, files, **said):
        named_files.import_files(self, ImportedFile.Kind.PASSAGES, files, lambda path: {}, said)

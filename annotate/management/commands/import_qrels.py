from django.core.management.base import BaseCommand

from annotate.management import command_line, importing_files
from annotate.models import ImportedFile


class Command(BaseCommand):
    help = "Import qrels as the grades of a named rater: a reference (people) or a model."

    def add_arguments(self, parser):
        command_line.add_example(parser, "import_qrels --collection dl19 --rater nist qrels.txt")
        command_line.add_collection(parser)
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--rater", help="whose grades they are (default: the file's name)")
        parser.add_argument("--model", action="store_true", help="the rater is a model; off-scale grades are counted")

    def handle(self, files, rater, model, **said):
        kind = "MODEL" if model else "REFERENCE"
        if rater is None and len(files) > 1:
            command_line.wrong("Several files are grades of one rater: name it with --rater.")
        name = rater or files[0].rsplit("/", 1)[-1].removesuffix(".gz").rsplit(".", 1)[0]
        importing_files.import_files(self, ImportedFile.Kind.QRELS, files, {"rater": name, "rater_kind": kind}, said)

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.management import command_line
from annotate.models import ImportedFile


class Command(BaseCommand):
    help = "Import runs: six columns, plain or .gz."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "import_run --collection dl19 --group UNH runs/UNH_bm25.run.gz")
        command_line.add_collection(parser)
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--group", default="", help="who made the runs")
        parser.add_argument("--model-family", default="", help="the language model family behind them, if any")
        parser.add_argument("--not-pooled", action="store_true", help="evaluate the runs, but pool nothing of them")
        parser.add_argument("--variants", action="store_true", help="their query ids are those of query variants")

    def handle(
        self, *, files: list[str], group: str, model_family: str, not_pooled: bool, variants: bool, **options: Any
    ) -> None:
        described: dict[str, object] = {"group": group, "model_family": model_family, "is_pooled": not not_pooled}
        if variants:
            described["ranks_variants"] = True
        command_line.import_files(self, ImportedFile.Kind.RUN, files, lambda path: described, options)

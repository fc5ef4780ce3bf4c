from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.management.command_line import ImportCommand
from annotate.models import ImportedFile


class Command(ImportCommand):
    help = "Import runs: six columns, plain or .gz."
    kind = ImportedFile.Kind.RUN
    example = "import_run --collection dl19 --group UNH runs/UNH_bm25.run.gz"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--group", default="", help="who made the runs")
        parser.add_argument("--model-family", default="", help="the language model family behind them, if any")
        parser.add_argument("--not-pooled", action="store_true", help="evaluate the runs, but pool nothing of them")
        parser.add_argument("--variants", action="store_true", help="their query ids are those of query variants")

    def describe(self, path: Path, options: dict[str, Any]) -> dict[str, object]:
        described = {name: options[name] for name in ("group", "model_family")} | {
            "is_pooled": not options["not_pooled"]
        }
        return described | ({"ranks_variants": True} if options["variants"] else {})

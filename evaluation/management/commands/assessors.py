from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.management import command_line
from evaluation.findings import assessors
from evaluation.studies.design import field_columns
from evaluation.tables import table as tables_table
from evaluation.tables.table import make_table

COLUMNS = [
    *field_columns(("pseudonym", "assessor"), "judged", "cannot", "unsure", ("visible", "seconds")),
    *field_columns(("self.kappa", "themselves"), ("others.kappa", "others"), ("reference.kappa", "reference")),
]


class Command(BaseCommand):
    help = "How each assessor judges: counts, seconds, agreement with themselves, with others and with the reference."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "assessors --collection dl19")
        command_line.add_collection(parser)

    def handle(self, **options: Any) -> None:
        statistics = assessors.compute_statistics(command_line.find_collection(options["collection"]))
        if not statistics["assessors"]:
            command_line.refuse("Nobody has judged yet.")
        caption = (
            f"{statistics['judgments']:,} judgments; seconds are medians, agreement is Cohen's kappa; - where undefined"
        )
        table = make_table(caption, COLUMNS, statistics["assessors"])
        command_line.answer(self, options["json"], statistics, tables_table.write_plain(table))

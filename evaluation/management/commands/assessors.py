from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.management import command_line
from evaluation.findings import assessors
from evaluation.findings.assessors import Statistics
from evaluation.tables import writers
from evaluation.tables.table import Table


class Command(BaseCommand):
    help = "How each assessor judges: counts, seconds, agreement with themselves, with others and with the reference."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "assessors --collection dl19")
        command_line.add_collection(parser)

    def handle(self, **options: Any) -> None:
        collection = command_line.collection(options["collection"])
        statistics = assessors.compute_statistics(collection)
        if not statistics["assessors"]:
            command_line.refuse("Nobody has judged yet.")
        command_line.answer(self, options["json"], statistics, writers.write_plain(_table(statistics)))


def _table(statistics: Statistics) -> Table:
    caption = (
        f"{statistics['judgments']:,} judgments; seconds are medians, agreement is Cohen's kappa; - where undefined"
    )
    columns = ("assessor", "judged", "cannot", "unsure", "seconds", "themselves", "others", "reference")
    rows = tuple(
        (
            *(each["pseudonym"], each["judged"], each["cannot"], each["unsure"], each["visible"]),
            *(beside["kappa"] for beside in (each["self"], each["others"], each["reference"])),
        )
        for each in statistics["assessors"]
    )
    return Table(caption, columns, rows)

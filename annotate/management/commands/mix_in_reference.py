from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.draws.operations import draws
from annotate.management import command_line


class Command(BaseCommand):
    help = "Ask people again, blind, about some pairs of each reference grade; --end asks about no more of them."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "mix_in_reference --collection dl19 --number 5 --seed 1")
        command_line.add_collection(parser)
        parser.add_argument("--number", type=int, default=5, help="of pairs of each grade, or all there are")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--end", action="store_true")

    def handle(self, *, number: int, seed: int, end: bool, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        with command_line.draw_refusals():
            if end:
                draw = draws.end_calibration(collection=collection, now=timezone.now())
            else:
                draw = draws.draw_calibration(
                    collection=collection, number=number, seed=seed, by=None, now=timezone.now()
                )
        result = {"size": draw.size, "seed": draw.seed, "ended": end}
        verb = "Asked about no more" if end else "Mixed in"
        command_line.answer(self, options["json"], result, f"{verb}: {draw.size:,} pairs of the reference.")

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.draws.operations import draws
from annotate.management import command_line


class Command(BaseCommand):
    help = "End the sample, list or order by influence in force: people judge every hole again, topic by topic."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "end_draw --collection dl19")
        command_line.add_collection(parser)

    def handle(self, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        with command_line.draw_refusals():
            draw = draws.end_draw(collection=collection, by=None, now=timezone.now())
        command_line.let_pairs_follow(collection)
        result = {"kind": draw.kind, "size": draw.size}
        command_line.answer(self, options["json"], result, f"Ended: {draw.get_kind_display()} of {draw.size:,} pairs.")

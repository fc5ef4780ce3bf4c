from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.draws.operations import draws
from annotate.management import command_line


class Command(BaseCommand):
    help = "Let people judge the pairs of a file (query_id passage_id on each line), in its order, and no others."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "draw_list --collection dl19 pilot.txt")
        command_line.add_collection(parser)
        parser.add_argument("file")

    def handle(self, *, file: str, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        named = command_line.read_pairs(file)
        with command_line.draw_refusals():
            draw = draws.draw_list(collection=collection, named=named, by=None, now=timezone.now())
        command_line.let_pairs_follow(collection)
        result = {"size": draw.size, "digest": draw.design["digest"]}
        command_line.answer(
            self, options["json"], result, f"People judge the list of {draw.size:,} pairs, and no others."
        )

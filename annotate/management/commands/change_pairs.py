from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.draws.operations import changes
from annotate.management import command_line


class Command(BaseCommand):
    help = "Add the pairs of a file to the pool, withdraw them from people for a reason, or restore them."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, 'change_pairs --collection dl19 withdraw torn.txt --reason "text cut off"')
        command_line.add_collection(parser)
        parser.add_argument("change", choices=["add", "withdraw", "restore"])
        parser.add_argument("file", help="query_id passage_id on each line")
        parser.add_argument("--reason", default="", help="why they are withdrawn")

    def handle(self, *, change: str, file: str, reason: str, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        named, now = command_line.read_pairs(file), timezone.now()
        with command_line.draw_refusals():
            done: changes.Added | changes.Changed
            if change == "add":
                done = changes.add_pairs(collection=collection, named=named)
            elif change == "withdraw":
                done = changes.withdraw_pairs(collection=collection, named=named, reason=reason, now=now)
            else:
                done = changes.restore_pairs(collection=collection, named=named, now=now)
        result = asdict(done)
        sentence = ", ".join(f"{name}: {count:,}" for name, count in result.items())
        command_line.answer(self, options["json"], result, f"{sentence}.".capitalize())

"""`manage.py variants`: a model writes query variants of topics under profiles."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.management import command_line, writing_command
from annotate.models import Batch, Collection, Profile
from annotate.variants import operations as variants_operations
from annotate.variants.rules import USUAL_TEMPERATURE
from annotate.writing.operations import profiles


class Command(BaseCommand):
    help = (
        "Have a language model write query variants of every topic under profiles: Lacuna's own (all) or yours. "
        "Keys come from the environment; --dry-run bounds the cost without making a call."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(
            parser, "variants --collection dl21 --judge anthropic --model claude-haiku-4-5 --profiles all -n 3 --wait"
        )
        writing_command.add_arguments(parser, Batch.Purpose.VARIANTS)
        parser.set_defaults(temperature=USUAL_TEMPERATURE)
        parser.add_argument(
            "--profiles", default=profiles.ALL, metavar="NAMES", help="all, or names between commas (default: all)"
        )
        parser.add_argument("-n", type=int, default=3, dest="number", metavar="N", help="variants of each profile")

    def handle(self, **said: Any) -> None:
        collection = command_line.collection(said["collection"])
        chosen = _profiles(collection, said["profiles"])
        wanted = writing_command.wish(
            collection, said, Batch.Purpose.VARIANTS, profiles=tuple(chosen), number=said["number"]
        )
        writing_command.run(self, collection, wanted, said)
        if said["wait"] and (queued := variants_operations.find_waiting_measures(collection)):
            command_line.see_through(queued)


def _profiles(collection: Collection, names: str) -> list[Profile]:
    try:
        return profiles.choose(
            collection=collection, names=[name.strip() for name in names.split(",")], now=timezone.now()
        )
    except profiles.BadProfile as reason:
        command_line.wrong(str(reason))

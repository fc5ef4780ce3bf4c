from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.draws import queries as draws_queries
from annotate.draws.operations import changes
from annotate.management import command_line
from annotate.models import Work


class Command(BaseCommand):
    help = "Look for the near-duplicate passages of each topic."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "find_near_duplicates --collection dl19")
        command_line.add_collection(parser)

    def handle(self, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        queued = changes.request_finding(collection=collection, by=None, now=timezone.now())
        ended = command_line.see_through(queued)
        if ended.state != Work.State.DONE:
            command_line.refuse(ended.error or "The work was stopped; the topics that were done are kept.")
        found = draws_queries.count_pairs(collection).duplicates
        command_line.answer(self, options["json"], {"near_duplicates": found}, f"{found:,} pairs follow another.")

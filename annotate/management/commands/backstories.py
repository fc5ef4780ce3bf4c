"""`manage.py backstories`: a model writes the backstories of topics, as drafts."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.backstories import queries as backstories_queries
from annotate.management import command_line, writing_command
from annotate.models import Batch
from annotate.writing.operations import writing_backstories

SCOPES = {"missing": writing_backstories.MISSING, "all": writing_backstories.EVERY}


class Command(BaseCommand):
    help = (
        "Have a language model write backstories: drafts, until a researcher approves them on the Backstories page. "
        "Keys come from the environment; --dry-run bounds the cost without making a call."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(
            parser, "backstories --collection dl21 --judge anthropic --model claude-haiku-4-5 --wait"
        )
        writing_command.add_arguments(parser, Batch.Purpose.BACKSTORIES)
        parser.add_argument(
            "--topics", choices=SCOPES, default="missing", help="those without one, or all (default: %(default)s)"
        )
        parser.add_argument(
            "--overlap",
            type=float,
            default=backstories_queries.MOST_OVERLAP,
            metavar="SHARE",
            help="of the query's content words that a text may repeat before it is asked again (default: %(default)s)",
        )

    def handle(self, **said: Any) -> None:
        collection = command_line.collection(said["collection"])
        wanted = writing_command.wish(
            collection, said, Batch.Purpose.BACKSTORIES, scope=SCOPES[said["topics"]], bound=said["overlap"]
        )
        writing_command.run(self, collection, wanted, said)

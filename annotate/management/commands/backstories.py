"""`manage.py backstories`: a model writes the backstories of topics, as drafts."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.management import command_line, model_command
from annotate.suggestions.purposes import backstories
from annotate.suggestions.purposes.backstories import BackstoriesPlan
from annotate.texts.queries import backstories as queries_backstories

SCOPES = {"missing": backstories.MISSING, "all": backstories.EVERY}


class Command(BaseCommand):
    help = (
        "Have a language model write backstories: drafts, until a researcher approves them on the Backstories page. "
        "Keys come from the environment; --dry-run bounds the cost without making a call."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(
            parser, "backstories --collection dl21 --judge anthropic --model claude-haiku-4-5 --wait"
        )
        model_command.add_texts_arguments(parser, BackstoriesPlan.prompt_purpose)
        parser.add_argument(
            "--topics", choices=SCOPES, default="missing", help="those without one, or all (default: %(default)s)"
        )
        parser.add_argument(
            "--overlap",
            type=float,
            default=queries_backstories.MOST_OVERLAP,
            metavar="SHARE",
            help="of the query's content words that a text may repeat before it is asked again (default: %(default)s)",
        )

    def handle(self, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        plan = BackstoriesPlan(
            **model_command.service_fields(collection, BackstoriesPlan.prompt_purpose, options),
            rounds=options["rounds"],
            scope=SCOPES[options["topics"]],
            bound=options["overlap"],
        )
        model_command.ask_for_texts(self, collection, plan, options)

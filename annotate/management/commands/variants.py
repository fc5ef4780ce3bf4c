"""`manage.py variants`: a model writes query variants of topics under profiles."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.management import command_line, model_command
from annotate.models import Collection, Profile
from annotate.suggestions.operations import prompts
from annotate.suggestions.purposes.variants import VariantsPlan
from annotate.texts import operations as texts_operations
from annotate.texts.rules import USUAL_TEMPERATURE


class Command(BaseCommand):
    help = (
        "Have a language model write query variants of every topic under profiles: Lacuna's own (all) or yours. "
        "Keys come from the environment; --dry-run bounds the cost without making a call."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(
            parser, "variants --collection dl21 --judge anthropic --model claude-haiku-4-5 --profiles all -n 3 --wait"
        )
        model_command.add_texts_arguments(parser, VariantsPlan.prompt_purpose)
        parser.set_defaults(temperature=USUAL_TEMPERATURE)
        parser.add_argument(
            "--profiles",
            default=prompts.ALL_PROFILES,
            metavar="NAMES",
            help="all, or names between commas (default: all)",
        )
        parser.add_argument("-n", type=int, default=3, dest="number", metavar="N", help="variants of each profile")
        parser.add_argument("--seed-query-only", action="store_true", help="write without the backstory")
        parser.add_argument("--keep-repeats", action="store_true", help="take a wording that is there already")

    def handle(self, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        chosen = _profiles(collection, options["profiles"])
        plan = VariantsPlan(
            **model_command.service_fields(collection, VariantsPlan.prompt_purpose, options),
            rounds=options["rounds"],
            profiles=tuple(chosen),
            number=options["number"],
            from_query_alone=options["seed_query_only"],
            keeps_repeats=options["keep_repeats"],
        )
        model_command.ask_for_texts(self, collection, plan, options)
        if options["wait"] and (queued := texts_operations.find_waiting_measures(collection)):
            command_line.see_through(queued)


def _profiles(collection: Collection, names: str) -> list[Profile]:
    try:
        return prompts.choose_profiles(
            collection=collection, names=[name.strip() for name in names.split(",")], now=timezone.now()
        )
    except prompts.BadProfile as reason:
        command_line.wrong(str(reason))

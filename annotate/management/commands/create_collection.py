from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.collections.operations import collections
from annotate.management import command_line
from annotate.models import User


class Command(BaseCommand):
    help = "Make an empty collection."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "create_collection dl19 --title 'TREC DL 2019 passages' --researcher ada")
        parser.add_argument("slug", help="short name: small letters, digits, hyphens")
        parser.add_argument("--title", default="")
        parser.add_argument("--scale", default="0-3", help="the grades, lowest and highest (default 0-3)")
        parser.add_argument("--researcher", metavar="USERNAME", help="who researches it; the account must exist")
        command_line.add_json(parser)

    def handle(self, *, slug: str, title: str, scale: str, researcher: str | None, json: bool, **options: Any) -> None:
        by = User.objects.filter(username=researcher).first()
        if researcher and by is None:
            command_line.wrong(f"There is no account {researcher}.")
        try:
            made = collections.create_collection(
                slug=slug, title=title, scale=command_line.parse_scale(scale), by=by, now=timezone.now()
            )
        except collections.BadValue as reason:
            command_line.wrong(str(reason))
        except collections.CannotChange as reason:
            command_line.refuse(str(reason))
        result = {"collection": made.slug, "scale": str(made.scale)}
        command_line.answer(self, json, result, f"Collection {made.slug} with grades {made.scale}.")

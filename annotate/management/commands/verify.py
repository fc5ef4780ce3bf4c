"""`manage.py verify`: is everything as it was written? Recounts, digests and constraints, while people judge."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.management import command_line, verification


class Command(BaseCommand):
    help = (
        "Check the installation while people judge: constraints, versions of judgments, counters by a recount, files "
        "by their SHA-256. Exit code 1 says that something is wrong. --repair makes again what follows from judgments "
        "and imported files; no judgment is ever changed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "verify --repair")
        parser.add_argument("--repair", action="store_true", help="make again what follows from other rows and files")
        command_line.add_json(parser)

    def handle(self, *, repair: bool, **options: Any) -> None:
        flaws = []
        for flaw in verification.find_flaws(repairs=repair):
            flaws.append(flaw)
            self.stderr.write(f"{flaw.place}: {flaw.what}{' Repaired.' if flaw.is_repaired else ''}")
        left = sum(not flaw.is_repaired for flaw in flaws)
        record = {"flaws": [asdict(flaw) for flaw in flaws], "left": left}
        command_line.answer(self, options["json"], record, self._summary(len(flaws), left))
        if left:
            raise CommandError("Not everything is as it was written.", returncode=1)

    @staticmethod
    def _summary(found: int, left: int) -> str:
        if not found:
            return "Nothing is wrong: counters, versions, constraints and files are as they were written."
        return f"{found} found, {found - left} repaired, {left} left."

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db.models import QuerySet
from django.utils import timezone

from annotate.management import command_line
from annotate.models import Collection, Run, Work
from annotate.pool.operations import retrieval


class Command(BaseCommand):
    help = "Retrieve with the built-in systems over the collection's passages; what they ranked before is left."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "retrieve --collection python-docs --variants")
        command_line.add_collection(parser)
        parser.add_argument("--variants", action="store_true", help="for the query variants too, not only the topics")
        parser.add_argument(
            "--system", action="append", default=[], metavar="NAME", help="one of them; can be repeated"
        )

    def handle(self, *, variants: bool, system: list[str], **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        _check(system)
        before = set(_runs(collection).values_list("pk", flat=True))
        try:
            queued = retrieval.request_retrieval(
                collection=collection, with_variants=variants, systems=system, by=None, now=timezone.now()
            )
        except retrieval.CannotRetrieve as reason:
            command_line.refuse(str(reason))
        ended = command_line.see_through(queued)
        if ended.state != Work.State.DONE:
            command_line.refuse(ended.error or "The retrieval was stopped; what was retrieved is kept.")
        made = [run for run in _runs(collection) if run.pk not in before]
        told = {"runs": [_told(run) for run in made], "note": ended.note}
        command_line.answer(self, options["json"], told, f"{ended.note} {_counted(made)}")


def _check(chosen: list[str]) -> None:
    from annotate.retrieval.scorers import SYSTEMS

    for name in chosen:
        if name not in SYSTEMS:
            command_line.wrong(f"There is no system {name}. There are: {', '.join(SYSTEMS)}.")


def _runs(collection: Collection) -> QuerySet[Run]:
    return Run.objects.filter(collection=collection, source__state="PUBLISHED").order_by("pk")


def _told(run: Run) -> dict[str, object]:
    return {"run_tag": run.tag, "ranks_variants": run.ranks_variants, "rankings": run.topics, "ranks": run.ranks}


def _counted(runs: list[Run]) -> str:
    of_variants = sum(run.ranks_variants for run in runs)
    return f"Of topics {len(runs) - of_variants}, of query variants {of_variants}."

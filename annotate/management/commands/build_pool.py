from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.grades import holes
from annotate.management import command_line
from annotate.models import Pair, Work
from annotate.pool.operations import pooling


class Command(BaseCommand):
    help = "Pool the runs to a depth and add what the reference judged."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "build_pool --collection dl19 --depth 10")
        command_line.add_collection(parser)
        parser.add_argument("--depth", type=int, default=10)

    def handle(self, *, depth: int, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        try:
            queued = pooling.request_pool(collection=collection, depth=depth, by=None, now=timezone.now())
        except ValueError as reason:
            command_line.wrong(str(reason))
        before = collection.frame_version
        ended = command_line.see_through(queued)
        if ended.state != Work.State.DONE:
            command_line.refuse(ended.error or "The pooling was stopped.")
        collection.refresh_from_db()
        if collection.frame_version == before:
            command_line.refuse(
                f"There is nothing to do: a pool to depth {depth} has the pairs that are in it already."
            )
        pooled = Pair.objects.filter(collection=collection, is_pooled=True).count()
        told = {"depth": depth, "pooled": pooled, "holes": holes.count_holes(collection)}
        command_line.answer(self, options["json"], told, f"{pooled:,} pairs in the pool, {told['holes']:,} are holes.")

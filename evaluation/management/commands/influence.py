from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.management import command_line
from annotate.models import Work
from evaluation.findings import influence
from evaluation.pages import influence as pages_influence
from evaluation.tables import table


class Command(BaseCommand):
    help = (
        "Which holes can move the differences between systems' mean nDCG@10 most. --order lets people judge them in "
        "this order, which excludes intervals for people's and a model's grades together."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "influence --collection dl19 --order")
        command_line.add_collection(parser)
        parser.add_argument("--order", action="store_true", help="let holes be judged in this order")
        parser.add_argument(
            "--weights",
            default="",
            metavar="RATER",
            help="weight by the probabilities of this model; refused where anybody grades blind",
        )

    def handle(self, *, order: bool, weights: str, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        try:
            queued = influence.request_influence(
                collection=collection, weights=weights, orders=order, by=None, now=timezone.now()
            )
        except influence.CannotWeight as reason:
            command_line.refuse(str(reason))
        ended = command_line.see_through(queued)
        if ended.state != Work.State.DONE:
            command_line.refuse(ended.error or "The work was stopped.")
        if order:
            command_line.let_pairs_follow(collection)
        known = influence.find_influence(collection)
        assert known is not None, "the work that has just ended stored it"
        result = known.value
        command_line.answer(self, options["json"], {**result, "is_order": order}, _sentence(result, order))


def _sentence(result: influence.InfluenceJson, is_order: bool) -> str:
    counts = f"{result['moving']:,} of {result['holes']:,} holes can move the ranking of {result['systems']} systems."
    order = "\nPeople judge them in this order from now on." if is_order else ""
    return f"{table.write_plain(pages_influence.influence_table(result).table)}{counts}{order}"

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.draws import queries as draws_queries
from annotate.draws.operations import draws
from annotate.draws.queries import Plan
from annotate.management import command_line
from annotate.models import Collection, Rater


class Command(BaseCommand):
    help = (
        "Draw a recorded random sample: people judge its pairs and no others. --preview only says what it would hold."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "draw_sample --collection dl19 --share 0.2 --model gpt --seed 1")
        command_line.add_collection(parser)
        parser.add_argument("--unit", choices=draws_queries.UNITS, default=draws_queries.PAIR)
        parser.add_argument("--share", type=float, help="of each topic's open pairs (at least 2), or of the topics")
        parser.add_argument("--number", type=int, help="of pairs of each topic, or of topics, in place of a share")
        parser.add_argument("--depth", type=int, default=10, help="of the runs' ranks that pairs are drawn from")
        parser.add_argument("--model", help="the model rater whose grades are frozen")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--leave-out", action="store_true", help="go on without pairs that nobody can judge")
        parser.add_argument("--preview", action="store_true")

    def handle(self, *, unit: str, preview: bool, model: str | None, seed: int, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        drawn = {name: options[name] for name in ("share", "number", "depth")}
        plan = Plan(unit=unit, seed=seed, model=_model(collection, model), leaves_out=options["leave_out"], **drawn)
        with command_line.draw_refusals():
            if preview:
                sample = draws_queries.plan_sample(collection, plan)
                size, frame, design = sample.size, sample.frame.pairs, draws_queries.describe_design(collection, sample)
            else:
                draw = draws.draw_sample(collection=collection, plan=plan, by=None, now=timezone.now())
                size, frame, design = draw.size, draw.design["frame"]["pairs"], draw.design
                command_line.let_pairs_follow(collection)
        verb = "would judge" if preview else "judge"
        sentence = f"People {verb} {size:,} pairs of a frame of {frame:,}, and no others (seed {seed})."
        command_line.answer(self, options["json"], {"size": size, "seed": seed, **design}, sentence)


def _model(collection: Collection, name: str | None) -> Rater | None:
    if name is None:
        return None
    model = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL, name=name).first()
    return model or command_line.wrong(f"The collection has no model rater named {name!r}.")

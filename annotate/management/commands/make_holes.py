from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.management import command_line
from annotate.pool.operations import pooling


class Command(BaseCommand):
    help = "Drop a seeded share of the reference's grades, as synthetic holes; --undo brings them back."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "make_holes --collection dl19 --fraction 0.5 --grades 1,2,3 --seed 1")
        command_line.add_collection(parser)
        parser.add_argument("--fraction", type=float, default=0.5, help="of each chosen grade, above 0, at most 1")
        parser.add_argument("--grades", default="1,2,3", help="from which grades, with commas (default 1,2,3)")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--undo", action="store_true", help="take the draw in force back")

    def handle(self, *, fraction: float, grades: str, seed: int, undo: bool, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        try:
            if undo:
                draw = pooling.undo_draw(collection=collection, now=timezone.now())
            else:
                draw = pooling.draw_holes(
                    collection=collection,
                    fraction=fraction,
                    chosen=_grades(grades),
                    seed=seed,
                    by=None,
                    now=timezone.now(),
                )
        except pooling.BadValue as reason:
            command_line.wrong(str(reason))
        except pooling.CannotDraw as reason:
            command_line.refuse(str(reason))
        command_line.let_pairs_follow(collection)
        result = {
            "fraction": draw.fraction,
            "grades": draw.grades,
            "seed": draw.seed,
            "dropped": draw.dropped,
            "undone": undo,
        }
        verb = "Brought back" if undo else "Dropped"
        sentence = f"{verb}: {draw.dropped:,} of the reference's grades (seed {draw.seed})."
        command_line.answer(self, options["json"], result, sentence)


def _grades(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        command_line.wrong(f"--grades wants whole numbers with commas, such as 1,2,3; not {text!r}.")

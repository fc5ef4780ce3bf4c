"""`manage.py batches`: the batches of questions to models, listed, paused, resumed and cancelled."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.grades import batches as batch_queries
from annotate.management import command_line
from annotate.models import Collection
from annotate.suggestions.operations import batches
from annotate.suggestions.operations.batches import CANCEL, PAUSE, RESUME
from annotate.suggestions.purposes.purpose import CannotAsk

LIST = "list"
DONE = {
    PAUSE: "Paused: what is under way is still answered; resume goes on.",
    RESUME: "It waits for a worker (manage.py work).",
    CANCEL: "Cancelled: nothing more is asked; what was answered is kept.",
}


class Command(BaseCommand):
    help = (
        "List a collection's batches of questions to models with their state, cost and what may be billed beside it; "
        "pause, resume or cancel one by its number."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "batches pause 7 --collection dl19")
        parser.add_argument("action", choices=[LIST, PAUSE, RESUME, CANCEL])
        parser.add_argument("batch", nargs="?", type=int, help="its number, as list tells it")
        command_line.add_collection(parser)

    def handle(self, *, action: str, batch: int | None, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        if action == LIST:
            self._list(collection, options["json"])
            return
        if batch is None:
            command_line.wrong(f"Name the batch that is to be {action}d by its number; list tells it.")
        chosen, now = batch_queries.select_asked(collection).filter(pk=batch).first(), timezone.now()
        if chosen is None:
            command_line.wrong(f"{collection.slug} has no batch {batch}; batches list tells which it has.")
        try:
            batches.change(batch=chosen, action=action, by=None, now=now)
        except CannotAsk as reason:
            command_line.refuse(str(reason))
        chosen.refresh_from_db()
        record = batch_queries.batch_record(chosen, now)
        command_line.answer(self, options["json"], record, f"Batch {batch}: {DONE[action]}")

    def _list(self, collection: Collection, as_json: bool) -> None:
        now = timezone.now()
        records = [
            batch_queries.batch_record(one, now) for one in batch_queries.select_asked(collection).order_by("pk")
        ]
        lines = [_in_words(record) for record in records]
        command_line.answer(self, as_json, {"batches": records}, "\n".join(lines) or "There are no batches yet.")


def _in_words(record: dict[str, Any]) -> str:
    states = ", ".join(f"{count:,} {state.lower()}" for state, count in record["states"].items()) or "nothing yet"
    cost = "unknown cost" if record["cost"] is None else f"${float(record['cost']):.4f}"
    lost = record["possibly_billed"]
    words = f"{record['batch']}  {record['state'].lower()}  {record['name']}: {states}; {cost}"
    if lost["calls"]:
        words += f", possibly billed beside that: {lost['calls']:,} calls"
    if record["away"]:
        words += f"; no answer since {record['away']['since']} ({record['away']['cause']})"
    return " ".join([f"{words}.", *filter(None, [record["error"], record["waits_for"]])])

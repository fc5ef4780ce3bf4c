"""`manage.py batches`: the batches of questions to models, listed, paused, resumed and cancelled."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.management import command_line, model_command
from annotate.models import Batch, Collection
from annotate.suggestions.operations import batches
from annotate.suggestions.purposes.purpose import CannotAsk

LIST, PAUSE, RESUME, CANCEL = "list", "pause", "resume", "cancel"
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
        chosen = Batch.objects.select_related("work").filter(collection=collection, pk=batch).first()
        if chosen is None:
            command_line.wrong(f"{collection.slug} has no batch {batch}; batches list tells which it has.")
        _do(action, chosen)
        chosen.refresh_from_db()
        command_line.answer(self, options["json"], _describe(chosen), f"Batch {batch}: {DONE[action]}")

    def _list(self, collection: Collection, as_json: bool) -> None:
        asked = Batch.objects.filter(collection=collection, work__isnull=False).select_related("work", "rater")
        records = [_describe(one) for one in asked.order_by("pk")]
        lines = [_in_words(record) for record in records]
        command_line.answer(self, as_json, {"batches": records}, "\n".join(lines) or "There are no batches yet.")


def _do(action: str, batch: Batch) -> None:
    if action != RESUME and (batch.work is None or batch.work.is_over):
        command_line.refuse(f"Batch {batch.pk} is not under way: there is nothing to {action}.")
    try:
        if action == PAUSE:
            batches.pause(batch=batch)
        elif action == CANCEL:
            batches.cancel(batch=batch, by=None, now=timezone.now())
        else:
            batches.resume(batch=batch, by=None, now=timezone.now())
    except CannotAsk as reason:
        command_line.refuse(str(reason))


def _describe(batch: Batch) -> dict[str, Any]:
    assert batch.work is not None
    name = batch.rater.name if batch.rater else str(batch.get_purpose_display())
    record = {"name": name, "is_cancelled": batch.cancelled_at is not None, "error": batch.work.error}
    return {**model_command.describe_batch(batch, batch.work), **record}


def _in_words(record: dict[str, Any]) -> str:
    states = ", ".join(f"{count:,} {state.lower()}" for state, count in record["states"].items()) or "nothing yet"
    cost = "unknown cost" if record["cost"] is None else f"${float(record['cost']):.4f}"
    lost = record["possibly_billed"]
    words = f"{record['batch']}  {record['state'].lower()}  {record['name']}: {states}; {cost}"
    if lost["calls"]:
        words += f", possibly billed beside that: {lost['calls']:,} calls"
    if record["away"]:
        words += f"; no answer since {record['away']['since']} ({record['away']['cause']})"
    return f"{words}. {record['error']}".rstrip()

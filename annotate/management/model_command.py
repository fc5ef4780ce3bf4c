"""What the commands that ask a language model share: whom to ask, how fast, for how much, and what it came to."""

from decimal import ROUND_DOWN, Decimal, InvalidOperation
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.grades import batches
from annotate.management import command_line
from annotate.models import Batch, Collection, Prompt, Work
from annotate.suggestions.operations import asking, prompts
from annotate.suggestions.operations.asking import Estimate

CENT = Decimal("0.01")


def add_model_arguments(parser: CommandParser, *, may_batch: bool = True) -> None:
    parser.add_argument("--model", default="", metavar="NAME", help="the model as the service calls it")
    parser.add_argument("--temperature", type=float, metavar="T", help="default: the service's own")
    if may_batch:
        parser.add_argument("--batches", action="store_true", help="the service's batches: slower, at half the price")
    parser.add_argument("--concurrency", type=int, default=8, metavar="N", help="calls under way at once")
    parser.add_argument("--per-minute", type=int, default=0, metavar="N", help="calls that may start in a minute")
    parser.add_argument("--budget", metavar="USD", help="stop before the cost could pass this many US dollars")
    parser.add_argument("--dry-run", action="store_true", help="count calls and bound the cost; make no call")
    parser.add_argument("--wait", action="store_true", help="run it here, to its end; else a worker will")


def service_fields(said: dict[str, Any]) -> dict[str, Any]:
    """The fields of a wish that `add_model` asked for."""
    return {
        "model": said["model"],
        "temperature": said["temperature"],
        **({"is_batched": said["batches"]} if "batches" in said else {}),
        "concurrency": said["concurrency"],
        "per_minute": said["per_minute"],
        "budget": _budget(said["budget"]),
    }


def judging_prompt(collection: Collection, name: str) -> Prompt:
    return prompt(collection, Prompt.Purpose.JUDGING, name)


def prompt(collection: Collection, purpose: str, name: str) -> Prompt:
    """One of Lacuna's, else the newest version of a researcher's."""
    try:
        return prompts.find_prompt(collection=collection, purpose=purpose, name=name, now=timezone.now())
    except prompts.NoSuchPrompt as reason:
        command_line.wrong(str(reason))


def refuse_request(reason: asking.CannotAsk) -> NoReturn:
    """With the exit code of wrong use where it is that."""
    if isinstance(reason, asking.BadWish):
        command_line.wrong(str(reason))
    command_line.refuse(str(reason))


def write_estimate(command: BaseCommand, estimate: Estimate, as_json: bool) -> None:
    tokens = estimate.most_tokens
    told = {
        "pairs": estimate.pairs,
        "calls": estimate.calls,
        "most_tokens_in": tokens.fresh + tokens.cached + tokens.written,
        "most_tokens_out": tokens.given,
        "most_cost": estimate.most_cost and str(estimate.most_cost),
        "prices_as_of": estimate.prices_as_of,
        "without_backstory": estimate.without_backstory,
    }
    cost = (
        f"at most ${estimate.most_cost:.2f} (prices as of {estimate.prices_as_of})"
        if estimate.most_cost is not None
        else "the price of this model is not known"
    )
    sentence = (
        f"{estimate.calls:,} calls for {estimate.pairs:,} pairs; at most {told['most_tokens_in']:,} tokens read and "
        f"{told['most_tokens_out']:,} written; {cost}. No call was made."
    )
    command_line.answer(command, as_json, told, sentence)


def write_batch(command: BaseCommand, batch: Batch, wait: bool, as_json: bool) -> None:
    """What a batch came to; with `wait` it is run here first. Ends the command where the batch did not end well."""
    ended = command_line.see_through(batch.work) if wait else batch.work
    batch.refresh_from_db()
    told = {**describe_batch(batch, ended), "rater": batch.rater and batch.rater.name}
    states = ", ".join(f"{count:,} {state.lower()}" for state, count in told["states"].items())
    cost = "a price that is not known" if told["cost"] is None else f"${batches.batch_cost(batch):.4f}"
    sentence = f"{told['rater'] or batch.get_purpose_display()}: {states or 'queued'}; {batch.calls:,} calls, {cost}."
    command_line.answer(command, as_json, told, sentence)
    refuse_unless_done(ended, wait)


def describe_batch(batch: Batch, work: Work) -> dict[str, Any]:
    """What programs are told of every batch."""
    return {"batch": batch.pk, "state": work.state, **batches.batch_record(batch)}


def refuse_unless_done(ended: Work, wait: bool) -> None:
    if wait and ended.state != Work.State.DONE:
        command_line.refuse(ended.error or "The batch was paused; what was answered is kept.")


def _budget(text: str | None) -> Decimal | None:
    if text is None:
        return None
    try:
        budget = Decimal(text)
    except InvalidOperation:
        budget = Decimal(-1)
    if not (budget.is_finite() and CENT <= budget < 10_000_000):
        command_line.wrong(f"--budget {text} is no amount of US dollars, from {CENT} on.")
    return budget.quantize(CENT, ROUND_DOWN)  # never more than was said

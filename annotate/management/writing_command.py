"""What the commands that have a model write texts share."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.llm import providers
from annotate.management import command_line, model_command
from annotate.models import Collection
from annotate.suggestions.operations import asking, prompts
from annotate.writing.operations import writing
from annotate.writing.operations.writing import Estimate, TextsPlan


def add_arguments(parser: CommandParser, purpose: str) -> None:
    command_line.add_collection(parser)
    services = providers.list_names()
    parser.add_argument("--judge", choices=services, default=providers.DEFAULT, help="the service that is asked")
    model_command.add_model_arguments(parser, may_batch=False)
    usual, *_ = prompts.list_built_in(writing.PROMPTS[purpose])
    parser.add_argument("--prompt", default=usual, metavar="NAME", help="one of yours; default: Lacuna's, %(default)s")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="answers for one text at most")


def wish(collection: Collection, said: dict[str, Any], purpose: str, **particular: Any) -> TextsPlan:
    if not said["model"]:
        command_line.wrong(f"--judge {said['judge']} needs --model, for instance --model claude-haiku-4-5.")
    return TextsPlan(
        service=said["judge"],
        purpose=purpose,
        prompt=model_command.prompt(collection, writing.PROMPTS[purpose], said["prompt"]),
        rounds=said["rounds"],
        **model_command.service_fields(said),
        **particular,
    )


def run(command: BaseCommand, collection: Collection, wanted: TextsPlan, said: dict[str, Any]) -> None:
    """The dry run, or the batch; with `--wait` until it is over."""
    try:
        if said["dry_run"]:
            told = writing.estimate(collection=collection, wish=wanted, now=timezone.now())
            _tell_estimate(command, told, wanted, said["json"])
            return
        batch = writing.request(collection=collection, wish=wanted, by=None, now=timezone.now())
    except asking.CannotAsk as reason:
        model_command.refuse_request(reason)
    if wanted.warning:
        command.stderr.write(wanted.warning)
    model_command.write_batch(command, batch, said["wait"], said["json"])


def _tell_estimate(command: BaseCommand, estimate: Estimate, wanted: TextsPlan, as_json: bool) -> None:
    tokens = estimate.most_tokens
    told = {
        "texts": estimate.texts,
        "calls": estimate.calls,
        "most_calls": estimate.most_calls,
        "most_tokens_in": tokens.fresh + tokens.cached + tokens.written,
        "most_tokens_out": tokens.given,
        "most_cost": None if estimate.most_cost is None else str(estimate.most_cost),
        "prices_as_of": estimate.prices_as_of,
        "warning": wanted.warning,
    }
    cost = (
        "the price of this model is not known"
        if estimate.most_cost is None
        else f"at most ${estimate.most_cost:.2f} (prices as of {estimate.prices_as_of})"
    )
    sentence = (
        f"{estimate.texts:,} texts in {estimate.calls:,} to {estimate.most_calls:,} calls; at most "
        f"{told['most_tokens_in']:,} tokens read and {told['most_tokens_out']:,} written; {cost}. No call was made."
    )
    command_line.answer(command, as_json, told, f"{sentence} {wanted.warning}".strip())

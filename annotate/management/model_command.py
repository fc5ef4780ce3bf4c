"""What the commands that ask a language model share: which model, how fast, for how much, and what it came to."""

from argparse import ArgumentTypeError
from decimal import ROUND_DOWN, Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.grades import batches as batch_queries
from annotate.llm import providers
from annotate.llm.capabilities import EFFORTS
from annotate.llm.prompts import BadPrompt, Template
from annotate.llm.requests import Against
from annotate.management import command_line
from annotate.models import Batch, Collection, Prompt, Work, required
from annotate.suggestions.operations import batches, prompts
from annotate.suggestions.operations.prompts import Kept
from annotate.suggestions.purposes.purpose import PARAMETERS, BadPlan, CannotAsk, Estimate, ServicePlan, parse_sampling
from annotate.suggestions.purposes.texts import TextsPlan

CENT = Decimal("0.01")


def add_model_arguments(parser: CommandParser, *, may_batch: bool = True) -> None:
    parser.add_argument("--model", default="", metavar="NAME", help="the model as the service calls it")
    parser.add_argument("--temperature", type=float, metavar="T", help="default: the service's own")
    parser.add_argument(
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help=f"of sampling, sent where the model takes it; give it again for another one: {', '.join(PARAMETERS)}",
    )
    parser.add_argument("--effort", default="", choices=EFFORTS, help="reasoning effort; default: the least")
    parser.add_argument("--max-tokens", type=int, default=0, metavar="N", help="of an answer, beside thinking")
    parser.add_argument(
        "--timeout", type=int, default=0, metavar="SECONDS", help="for one call; default: 120, or the endpoint's"
    )
    if may_batch:
        parser.add_argument("--batches", action="store_true", help="the service's Batch API: slower, at half the price")
    parser.add_argument("--concurrency", type=int, default=8, metavar="N", help="calls under way at once")
    parser.add_argument("--per-minute", type=int, default=0, metavar="N", help="calls that may start in a minute")
    parser.add_argument("--budget", metavar="USD", help="stop before the cost could pass this many US dollars")
    parser.add_argument("--budget-tokens", type=int, metavar="N", help="stop before so many tokens could be passed")
    parser.add_argument("--dry-run", action="store_true", help="count calls and bound the cost; make no call")
    parser.add_argument("--wait", action="store_true", help="run it here, to its end; else a worker will")


def add_judge(parser: CommandParser, *own: str, default: str = providers.DEFAULT) -> None:
    """`own`: judges beside the services."""

    def known(name: str) -> str:
        if name not in own and (sentence := providers.explain_absence(name)):
            raise ArgumentTypeError(sentence)
        return name

    names = ", ".join([*own, *providers.list_names()])
    parser.add_argument("--judge", type=known, default=default, metavar="NAME", help=f"{names} (default: {default})")


def add_grading_arguments(parser: CommandParser) -> None:
    parser.add_argument("--against", choices=["query", "backstory", "both"], default="query")
    parser.add_argument("--examples", type=int, default=0, metavar="K", help="worked examples of each grade")
    parser.add_argument("--structured", action="store_true", help="hold the model to a JSON schema")


def add_texts_arguments(parser: CommandParser, purpose: Prompt.Purpose) -> None:
    command_line.add_collection(parser)
    add_judge(parser)
    add_model_arguments(parser)
    usual, *_ = prompts.list_built_in_prompts(purpose)
    parser.add_argument("--prompt", default=usual, metavar="NAME", help="one of yours; default: Lacuna's, %(default)s")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="answers for one text at most")


def add_prompt_arguments(parser: CommandParser) -> None:
    parser.add_argument("--file", metavar="PATH", help="the prompt's part of each pair or topic, with placeholders")
    parser.add_argument("--fixed", metavar="PATH", help="its part that is the same for all, if it has one")
    add_answer_form(parser)
    parser.add_argument("--example", metavar="PATH", help="how a worked example is shown, with {passage} and {grade}")
    parser.add_argument("--unfenced", action="store_true", help="no marks around texts: a published prompt as it is")


def add_answer_form(parser: CommandParser) -> None:
    parser.add_argument(
        "--answer-form",
        default="",
        metavar="FORM",
        help='where answers hold the grade: "number", "last line", "mark: WORDS | WORDS", "json: FIELD.FIELD", '
        '"structured"',
    )


def read_prompt(purpose: Prompt.Purpose, options: dict[str, Any]) -> Kept:
    """What `add_prompt_arguments` asked for."""
    if not options["file"]:
        command_line.wrong("--file names the text of the prompt.")
    template = Template(_read_text(options["fixed"]), _read_text(options["file"]))
    is_fenced, example = not options["unfenced"], _read_text(options["example"]).strip()
    if purpose != Prompt.Purpose.JUDGING:
        if options["answer_form"] or example:
            command_line.wrong("--answer-form and --example are for prompts that grade.")
        return Kept(purpose, template, is_fenced=is_fenced)
    if not options["answer_form"]:
        command_line.wrong('A prompt that grades needs --answer-form, for instance --answer-form "mark: Final grade".')
    try:
        return Kept.grading(template, options["answer_form"], example, is_fenced=is_fenced)
    except BadPrompt as reason:
        command_line.wrong(str(reason))


def draft_prompt(collection: Collection, kept: Kept) -> Prompt:
    """A prompt that is not kept, checked."""
    try:
        kept.check()
    except BadPrompt as reason:
        command_line.wrong(str(reason))
    return kept.draft(collection)


def _read_text(path: str | None) -> str:
    if not path:
        return ""
    try:
        return Path(path).read_text("utf-8").replace("\r\n", "\n")
    except OSError as error:
        command_line.wrong(f"{path} cannot be read: {error.strerror}.")
    except UnicodeDecodeError as error:
        command_line.wrong(f"{path} is not UTF-8 text: byte {error.start} is none.")


def service_fields(collection: Collection, purpose: Prompt.Purpose, options: dict[str, Any]) -> dict[str, Any]:
    """What `add_model_arguments` asked for, as fields of a plan."""
    if not options["model"]:
        command_line.wrong(f"--judge {options['judge']} needs --model, for instance --model claude-haiku-4-5.")
    return {
        "service": options["judge"],
        "model": options["model"],
        "prompt": _find_prompt(collection, purpose, options["prompt"]),
        "temperature": options["temperature"],
        "effort": options["effort"],
        "sampling": _read_sampling(options["parameter"]),
        "most_tokens": options["max_tokens"],
        "timeout": options["timeout"],
        "is_batched": options.get("batches", False),
        "concurrency": options["concurrency"],
        "per_minute": options["per_minute"],
        "budget": read_budget(options["budget"]),
        "budget_tokens": options["budget_tokens"],
    }


def _read_sampling(given: list[str]) -> dict[str, float]:
    try:
        return parse_sampling(" ".join(given))
    except BadPlan as reason:
        command_line.wrong(str(reason))


def grading_fields(collection: Collection, options: dict[str, Any]) -> dict[str, Any]:
    return {
        **service_fields(collection, Prompt.Purpose.JUDGING, options),
        "against": Against(options["against"].upper()),
        "examples": options["examples"],
        "is_structured": options["structured"],
    }


def ask(command: BaseCommand, collection: Collection, plan: ServicePlan, options: dict[str, Any]) -> Batch | None:
    """The batch, started; None after a dry run, which is told here."""
    now = timezone.now()
    if flaw := providers.find_flaw():
        command.stderr.write(flaw)
    try:
        if options["dry_run"]:
            _write_estimate(command, batches.estimate(collection=collection, plan=plan, now=now), plan, options["json"])
            return None
        return batches.start(collection=collection, plan=plan, by=None, now=now)
    except CannotAsk as reason:
        refuse_plan(reason)


def ask_for_texts(command: BaseCommand, collection: Collection, plan: TextsPlan, options: dict[str, Any]) -> None:
    """The dry run, or the batch; with `--wait` until it is over."""
    if batch := ask(command, collection, plan, options):
        if plan.warning:
            command.stderr.write(plan.warning)
        write_batch(command, batch, options["wait"], options["json"])


def refuse_plan(reason: CannotAsk) -> NoReturn:
    """With the exit code of wrong use where it is that."""
    if isinstance(reason, BadPlan):
        command_line.wrong(str(reason))
    command_line.refuse(str(reason))


def write_batch(command: BaseCommand, batch: Batch, wait: bool, as_json: bool) -> None:
    """What a batch came to; with `wait` it is run here first. Ends the command where the batch did not end well."""
    work = required(batch.work)
    try:
        ended = command_line.see_through(work) if wait else work
    except KeyboardInterrupt:
        batches.stop(batch=batch)
        command_line.refuse(
            f"Paused: what was answered is kept. Go on with manage.py batches resume {batch.pk} "
            f"--collection {batch.collection.slug}"
        )
    batch.refresh_from_db()
    record = {**batch_queries.batch_record(batch, timezone.now()), "rater": batch.rater and batch.rater.name}
    states = ", ".join(f"{count:,} {state.lower()}" for state, count in record["states"].items())
    cost = "a price that is not known" if record["cost"] is None else f"${batch_queries.batch_cost(batch):.4f}"
    sentence = f"{record['rater'] or batch.get_purpose_display()}: {states or 'queued'}; {batch.calls:,} calls, {cost}."
    command_line.answer(command, as_json, record, sentence)
    refuse_unless_done(ended, wait)


def refuse_unless_done(ended: Work, wait: bool) -> None:
    if wait and ended.state != Work.State.DONE:
        command_line.refuse(ended.error or "The batch was paused; what was answered is kept.")


def read_budget(text: str | None) -> Decimal | None:
    if text is None:
        return None
    try:
        budget = Decimal(text)
    except InvalidOperation:
        budget = Decimal(-1)
    if not (budget.is_finite() and CENT <= budget < 10_000_000):
        command_line.wrong(f"--budget {text} is no amount of US dollars, from {CENT} on.")
    return budget.quantize(CENT, ROUND_DOWN)  # never more than was said


def _find_prompt(collection: Collection, purpose: Prompt.Purpose, name: str) -> Prompt:
    """One of Lacuna's, else the newest version of a researcher's."""
    try:
        return prompts.find_prompt(collection=collection, purpose=purpose, name=name, now=timezone.now())
    except prompts.NoSuchPrompt as reason:
        command_line.wrong(str(reason))


def _write_estimate(command: BaseCommand, estimate: Estimate, plan: ServicePlan, as_json: bool) -> None:
    bounds = {
        "most_tokens_in": estimate.most_tokens.fresh + estimate.most_tokens.cached + estimate.most_tokens.written,
        "most_tokens_out": estimate.most_tokens.given,
        "most_cost": None if estimate.most_cost is None else str(estimate.most_cost),
        "prices_as_of": estimate.prices_as_of,
    }
    if isinstance(plan, TextsPlan):
        counts = {"texts": estimate.items, "calls": estimate.calls, "most_calls": estimate.most_calls}
        record = {**counts, **bounds, "warning": plan.warning}
        asked = f"{estimate.items:,} texts in {estimate.calls:,} to {estimate.most_calls:,} calls"
    else:
        counts = {"pairs": estimate.items, "calls": estimate.calls}
        record = {**counts, **bounds, "without_backstory": estimate.without_backstory}
        asked = f"{estimate.calls:,} calls for {estimate.items:,} pairs"
    cost = (
        "the price of this model is not known"
        if estimate.most_cost is None
        else f"at most ${estimate.most_cost:.2f} (prices as of {estimate.prices_as_of})"
    )
    sentence = (
        f"{asked}; at most {bounds['most_tokens_in']:,} tokens read and {bounds['most_tokens_out']:,} written; {cost}. "
        "No call was made."
    )
    command_line.answer(command, as_json, record, f"{sentence} {record.get('warning', '')}".strip())

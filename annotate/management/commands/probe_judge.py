"""`manage.py probe_judge`: how a judge is fooled by passages that do not answer the query."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.grades import batches as batch_queries
from annotate.llm import providers
from annotate.management import command_line, model_command
from annotate.models import Batch, Collection, required
from annotate.models.raters import LEARNED
from annotate.suggestions import queries
from annotate.suggestions.operations import batches
from annotate.suggestions.purposes.probe import OwnProbePlan, ProbePlan
from annotate.suggestions.purposes.purpose import CannotAsk


class Command(BaseCommand):
    help = (
        "Ask a judge about passages of other topics in four disguises (plain, query words inserted, query repeated, an "
        "instruction to give the highest grade): the share that it grades relevant. None of it becomes a suggestion."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(
            parser, "probe_judge --collection dl19 --judge anthropic --model claude-haiku-4-5 -n 50 --wait"
        )
        command_line.add_collection(parser)
        parser.add_argument(
            "--judge",
            default=LEARNED,
            metavar="NAME",
            help=f"{', '.join(providers.list_names())}, learned, or a version of an own judge such as calibrated-2",
        )
        parser.add_argument("-n", "--pairs", type=int, default=50, metavar="N", help="pairs (default: %(default)s)")
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the choice (default: %(default)s)")
        model_command.add_model_arguments(parser, may_batch=False)
        parser.add_argument("--prompt", default="direct", metavar="NAME")
        model_command.add_grading_arguments(parser)

    def handle(self, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        draw = {"pairs": options["pairs"], "seed": options["seed"]}
        if options["judge"] in providers.list_names():
            plan = ProbePlan(**model_command.grading_fields(collection, options), **draw)
            batch = model_command.ask(self, collection, plan, options)
        elif options["dry_run"]:
            command_line.refuse("One of Lacuna's own judges makes no calls and costs nothing: run it.")
        else:
            if flaw := providers.find_flaw():
                self.stderr.write(flaw)
            batch = _ask_own(collection, OwnProbePlan(judge=options["judge"], **draw))
        if batch:
            self._write(batch, options)

    def _write(self, batch: Batch, options: dict[str, Any]) -> None:
        work = required(batch.work)
        ended = command_line.see_through(work) if options["wait"] else work
        batch.refresh_from_db()
        now = timezone.now()
        probe = queries.read_probe(batch, now)
        found = {"judge": probe.judge, "probe": queries.describe_probe(probe)}
        record = {**batch_queries.batch_record(batch, now), **found}
        command_line.answer(self, options["json"], record, "\n".join(_sentences(probe)))
        model_command.refuse_unless_done(ended, options["wait"])


def _ask_own(collection: Collection, plan: OwnProbePlan) -> Batch:
    try:
        return batches.start(collection=collection, plan=plan, by=None, now=timezone.now())
    except CannotAsk as reason:
        model_command.refuse_plan(reason)


def _sentences(probe: queries.Probe) -> list[str]:
    scale = probe.batch.collection.scale
    return [
        f"{probe.judge}: graded {scale.relevant_from} or more, of passages of other topics",
        *map(_line, probe.fooled),
    ]


def _line(one: queries.Fooled) -> str:
    share = (
        f"{one.relevant.hits} of {one.relevant.of} = {one.relevant.value:.0%} "
        f"(95 % interval {one.relevant.low:.0%} to {one.relevant.high:.0%})"
        if one.relevant
        else "no answer has a grade"
    )
    others = "".join(f", {count} {state}" for state, count in one.without_grade)
    return f"  {one.name}: {share}{others}{f', {one.open} open' if one.open else ''}"

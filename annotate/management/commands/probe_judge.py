"""`manage.py probe_judge`: how a judge is fooled by passages that do not answer the query."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.llm import providers
from annotate.llm.grade_requests import Against
from annotate.management import command_line, model_command
from annotate.models import Batch, Collection
from annotate.probes import operations as probes_operations
from annotate.probes import queries as probes_queries
from annotate.probes.operations import Draw
from annotate.rules import rater_names
from annotate.suggestions.operations import asking
from annotate.suggestions.operations.asking import GradesPlan


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
            default=rater_names.LEARNED,
            metavar="NAME",
            help=f"{', '.join(providers.list_names())}, learned, or a version of an own judge such as calibrated-2",
        )
        parser.add_argument("-n", "--pairs", type=int, default=50, metavar="N", help="pairs (default: %(default)s)")
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the choice (default: %(default)s)")
        model_command.add_model_arguments(parser, may_batch=False)
        parser.add_argument("--prompt", default="direct", metavar="NAME")
        parser.add_argument("--against", choices=["query", "backstory", "both"], default="query")
        parser.add_argument("--examples", type=int, default=0, metavar="K", help="worked examples of each grade")
        parser.add_argument("--structured", action="store_true", help="hold the model to a JSON schema")

    def handle(self, **said: Any) -> None:
        collection = command_line.collection(said["collection"])
        draw = Draw(said["pairs"], said["seed"])
        try:
            batch = self._asked(collection, draw, said)
        except asking.CannotAsk as reason:
            model_command.refuse_request(reason)
        if batch:
            self._tell(batch, said)

    def _asked(self, collection: Collection, draw: Draw, said: dict[str, Any]) -> Batch | None:
        now = timezone.now()
        if said["judge"] not in providers.list_names():
            if said["dry_run"]:
                command_line.refuse("One of Lacuna's own judges makes no calls and costs nothing: run it.")
            return probes_operations.request_own(
                collection=collection, judge=said["judge"], draw=draw, by=None, now=now
            )
        wish = _wish(collection, said)
        if said["dry_run"]:
            estimate = probes_operations.estimate(collection=collection, wish=wish, draw=draw)
            model_command.write_estimate(self, estimate, said["json"])
            return None
        return probes_operations.request(collection=collection, wish=wish, draw=draw, by=None, now=now)

    def _tell(self, batch: Batch, said: dict[str, Any]) -> None:
        ended = command_line.see_through(batch.work) if said["wait"] else batch.work
        batch.refresh_from_db()
        probe = probes_queries.read_probe(batch, timezone.now())
        told = {**model_command.describe_batch(batch, ended), "judge": probe.judge, "probe": probes_queries.told(probe)}
        command_line.answer(self, said["json"], told, "\n".join(_sentences(probe)))
        model_command.refuse_unless_done(ended, said["wait"])


def _wish(collection: Collection, said: dict[str, Any]) -> GradesPlan:
    if not said["model"]:
        command_line.wrong(f"--judge {said['judge']} needs --model, for instance --model claude-haiku-4-5.")
    return GradesPlan(
        service=said["judge"],
        prompt=model_command.judging_prompt(collection, said["prompt"]),
        against=Against(said["against"].upper()),
        examples=said["examples"],
        is_structured=said["structured"],
        **model_command.service_fields(said),
    )


def _sentences(probe: probes_queries.Probe) -> list[str]:
    scale = probe.batch.collection.scale
    return [
        f"{probe.judge}: graded {scale.relevant_from} or more, of passages of other topics",
        *map(_line, probe.fooled),
    ]


def _line(one: probes_queries.Fooled) -> str:
    share = (
        f"{one.relevant.hits} of {one.relevant.of} = {one.relevant.value:.0%} "
        f"(95 % interval {one.relevant.low:.0%} to {one.relevant.high:.0%})"
        if one.relevant
        else "no answer has a grade"
    )
    others = "".join(f", {count} {state}" for state, count in one.without_grade)
    return f"  {one.name}: {share}{others}{f', {one.open} open' if one.open else ''}"

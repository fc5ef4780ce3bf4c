"""`manage.py suggest`: a judge's or a model's grades for the pairs of a collection."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.grades import model_raters as known_judges
from annotate.llm import providers
from annotate.llm.grade_requests import Against
from annotate.management import command_line, model_command
from annotate.models import Collection, Rater, Suggestion, Work
from annotate.own_judges.operations import requests
from annotate.rules import rater_names
from annotate.suggestions.operations import asking
from annotate.suggestions.operations.asking import GradesPlan

LEARNED, CALIBRATED = rater_names.OWN_JUDGES
CARRY_OVER = {"look": None, "yes": True, "no": False}
SCOPES = {"pool": asking.POOL, "holes": asking.HOLES, "judged": asking.JUDGED}


class Command(BaseCommand):
    help = (
        "Ask a judge for suggestions on the pooled pairs: Lacuna's own, which learns from the judged pairs (learned: "
        "from their text alone; calibrated: also from what --models say), or a language model behind a service. Keys "
        "come from the environment; --dry-run counts calls and bounds the cost without making any."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(
            parser, "suggest --collection dl19 --judge anthropic --model claude-haiku-4-5 --prompt direct --dry-run"
        )
        command_line.add_collection(parser)
        parser.add_argument("--judge", choices=[*rater_names.OWN_JUDGES, *providers.list_names()], default=LEARNED)
        parser.add_argument(
            "--models",
            action="append",
            default=[],
            metavar="RATER",
            help="calibrated: a model rater whose grades it learns from; give it again for another one",
        )
        parser.add_argument(
            "--carry-over",
            choices=CARRY_OVER,
            default="look",
            help="calibrated: whether what judged pairs teach holds for the holes (default: %(default)s for a "
            "difference; where there is one, models' grades stand as they are)",
        )
        model_command.add_model_arguments(parser)
        parser.add_argument(
            "--prompt", default="direct", metavar="NAME", help="direct, rationale, decomposed, or yours"
        )
        parser.add_argument("--against", choices=["query", "backstory", "both"], default="query")
        parser.add_argument("--pairs", choices=SCOPES, default="pool", help="which pairs (default: %(default)s)")
        parser.add_argument("--samples", type=int, default=1, metavar="N", help="answers for each pair")
        parser.add_argument("--limit", type=int, metavar="N", help="a seeded choice of so many pairs")
        parser.add_argument("--examples", type=int, default=0, metavar="K", help="worked examples of each grade")
        parser.add_argument("--examples-from", choices=["any", "topic"], default="any")
        parser.add_argument("--structured", action="store_true", help="hold the model to a JSON schema")

    def handle(self, **said: Any) -> None:
        collection = command_line.collection(said["collection"])
        if said["judge"] in rater_names.OWN_JUDGES:
            self._own(collection, said)
            return
        wish = _wish(collection, said)
        try:
            if said["dry_run"]:
                model_command.write_estimate(self, asking.estimate(collection=collection, wish=wish), said["json"])
                return
            batch = asking.request(collection=collection, wish=wish, by=None, now=timezone.now())
        except asking.CannotAsk as reason:
            model_command.refuse_request(reason)
        model_command.write_batch(self, batch, said["wait"], said["json"])

    def _own(self, collection: Collection, said: dict[str, Any]) -> None:
        models, may_carry_over = _teachers(collection, said), CARRY_OVER[said["carry_over"]]
        try:
            batch = requests.request_version(
                collection=collection, models=models, may_carry_over=may_carry_over, by=None, now=timezone.now()
            )
        except requests.NothingToDo as reason:
            command_line.refuse(str(reason))
        told = {"rater": batch.rater.name, "pairs": batch.pairs, "state": Work.State.QUEUED}
        sentence = f"{batch.rater.name} is queued for {batch.pairs:,} pairs; a worker runs it (manage.py work)."
        if said["wait"]:
            ended = command_line.see_through(batch.work)
            if ended.state != Work.State.DONE:
                command_line.refuse(ended.error or "The batch was stopped; what was suggested is kept.")
            done = Suggestion.objects.filter(batch=batch, state=Suggestion.State.DONE).count()
            batch.rater.refresh_from_db()
            warning = batch.rater.parameters["warning"]
            told |= {"state": ended.state, "done": done, "warning": warning}
            sentence = f"{batch.rater.name} graded {done:,} pairs." + (f" But {warning}." if warning else "")
        command_line.answer(self, said["json"], told, sentence)


def _teachers(collection: Collection, said: dict[str, Any]) -> list[Rater]:
    """The models to be calibrated on, the oldest first; none for the learned judge."""
    named = set(said["models"])
    if said["dry_run"]:
        command_line.wrong(f"--judge {said['judge']} costs nothing: --dry-run is for models behind a service.")
    if said["judge"] == LEARNED and (named or said["carry_over"] != "look"):
        command_line.wrong("--judge learned reads text alone; --models and --carry-over are for --judge calibrated.")
    known = known_judges.list_teachers(collection)
    names = ", ".join(known.values_list("name", flat=True)) or "none yet"
    if said["judge"] == CALIBRATED and not named:
        command_line.wrong(f"--judge calibrated needs --models. There are: {names}.")
    found = [model for model in known if model.name in named]
    if missing := named.difference(model.name for model in found):
        command_line.wrong(f"There is no model {', '.join(sorted(missing))} with grades. There are: {names}.")
    return found


def _wish(collection: Collection, said: dict[str, Any]) -> GradesPlan:
    if not said["model"]:
        command_line.wrong(f"--judge {said['judge']} needs --model, for instance --model claude-haiku-4-5.")
    return GradesPlan(
        service=said["judge"],
        prompt=model_command.judging_prompt(collection, said["prompt"]),
        against=Against(said["against"].upper()),
        scope=SCOPES[said["pairs"]],
        samples=said["samples"],
        limit=said["limit"],
        examples=said["examples"],
        examples_from=said["examples_from"].upper(),
        is_structured=said["structured"],
        **model_command.service_fields(said),
    )

"""`manage.py suggest`: a judge's or a model's grades for the pairs of a collection."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.grades import model_raters
from annotate.management import command_line, model_command
from annotate.models import Batch, Collection, Prompt, Rater, Suggestion, Work, raters, required
from annotate.models.raters import CALIBRATED, LEARNED
from annotate.own_judges.operations import requests
from annotate.suggestions.operations import batches, trials
from annotate.suggestions.purposes import grades
from annotate.suggestions.purposes.grades import GradesPlan
from annotate.suggestions.purposes.purpose import CannotAsk

CARRY_OVER = {"look": None, "yes": True, "no": False}
SCOPES = {"pool": grades.POOL, "holes": grades.HOLES, "judged": grades.JUDGED}


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
        model_command.add_judge(parser, *raters.OWN_JUDGES, default=LEARNED)
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
            "--prompt", default="direct", metavar="NAME", help="Lacuna's (direct, rationale, umbrela ...) or yours"
        )
        model_command.add_grading_arguments(parser)
        parser.add_argument("--pairs", choices=SCOPES, default="pool", help="which pairs (default: %(default)s)")
        parser.add_argument("--samples", type=int, default=1, metavar="N", help="answers for each pair")
        parser.add_argument("--limit", type=int, metavar="N", help="a seeded choice of so many pairs")
        parser.add_argument(
            "--examples-from",
            choices=["any", "topic", "relevant"],
            default="any",
            help="any topic; the pair's own; or relevant ones of the pair's own, --examples of them in all",
        )
        parser.add_argument(
            "--read-again",
            type=int,
            metavar="BATCH",
            help="read a batch's stored answers under another --answer-form, as a rater of their own; nothing is asked",
        )
        parser.add_argument("--try", action="store_true", help="ask about one pair now and show all; nothing is stored")
        parser.add_argument("--topic", default="", metavar="ID", help="--try: of the pair; else it is the first hole")
        parser.add_argument("--passage", default="", metavar="ID", help="--try: of the pair")
        model_command.add_prompt_arguments(parser)

    def handle(self, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        if options["read_again"] is not None:
            self._read_again(collection, options)
            return
        if options["judge"] in raters.OWN_JUDGES:
            self._ask_own(collection, options)
            return
        if options["try"]:
            self._try(collection, options)
            return
        plan = GradesPlan(
            **model_command.grading_fields(collection, options),
            scope=SCOPES[options["pairs"]],
            samples=options["samples"],
            limit=options["limit"],
            examples_from=options["examples_from"].upper(),
        )
        if batch := model_command.ask(self, collection, plan, options):
            model_command.write_batch(self, batch, options["wait"], options["json"])

    def _try(self, collection: Collection, options: dict[str, Any]) -> None:
        fields = model_command.grading_fields(collection, options)
        if options["file"]:
            kept = model_command.read_prompt(Prompt.Purpose.JUDGING, options)
            fields["prompt"] = model_command.draft_prompt(collection, kept)
        try:
            pair = trials.find_pair(collection, options["topic"], options["passage"])
            plan = GradesPlan(**fields, examples_from=options["examples_from"].upper())
            trial = trials.ask(collection=collection, plan=plan, pair=pair)
        except CannotAsk as reason:
            model_command.refuse_plan(reason)
        record = {
            "topic": pair.topic.query_id,
            "passage": pair.passage_id,
            "system": trial.request.fixed,
            "request": trial.request.text,
            "answer": trial.reply and trial.reply.text,
            "state": trial.answer and trial.answer.state.value,
            "grade": trial.answer and trial.answer.grade,
            "fault": trial.fault,
            "tokens": asdict(trial.tokens),
            "cost": None if trial.cost is None else str(trial.cost),
            "adapted": trial.adapted,
        }
        words = "\n\n".join(f"{name}: {value}" for name, value in record.items() if value not in ("", None, ()))
        command_line.answer(self, options["json"], record, f"{words}\n\nNothing was stored.")
        if trial.fault:
            command_line.refuse(trial.fault)

    def _read_again(self, collection: Collection, options: dict[str, Any]) -> None:
        read = Batch.objects.select_related("work", "rater", "prompt", "collection").filter(collection=collection)
        if (asked := read.filter(pk=options["read_again"]).first()) is None:
            command_line.wrong(f"There is no batch {options['read_again']} in {collection.slug}.")
        try:
            batch = batches.read_again(batch=asked, answer_form=options["answer_form"], by=None, now=timezone.now())
        except CannotAsk as reason:
            model_command.refuse_plan(reason)
        model_command.write_batch(self, batch, options["wait"], options["json"])

    def _ask_own(self, collection: Collection, options: dict[str, Any]) -> None:
        models, may_carry_over = _find_teachers(collection, options), CARRY_OVER[options["carry_over"]]
        try:
            batch = requests.request_version(
                collection=collection, models=models, may_carry_over=may_carry_over, by=None, now=timezone.now()
            )
        except requests.NothingToDo as reason:
            command_line.refuse(str(reason))
        rater = required(batch.rater)
        record = {"rater": rater.name, "pairs": batch.pairs, "state": Work.State.QUEUED}
        sentence = f"{rater.name} is queued for {batch.pairs:,} pairs; a worker runs it (manage.py work)."
        if options["wait"]:
            ended = command_line.see_through(required(batch.work))
            if ended.state != Work.State.DONE:
                command_line.refuse(ended.error or "The batch was stopped; what was suggested is kept.")
            done = Suggestion.objects.filter(batch=batch, state=Suggestion.State.DONE).count()
            rater.refresh_from_db()
            warning = rater.parameters["warning"]
            record |= {"state": ended.state, "done": done, "warning": warning}
            sentence = f"{rater.name} graded {done:,} pairs." + (f" But {warning}." if warning else "")
        command_line.answer(self, options["json"], record, sentence)


def _find_teachers(collection: Collection, options: dict[str, Any]) -> list[Rater]:
    """The models to be calibrated on, the oldest first; none for the learned judge."""
    named = set(options["models"])
    if options["dry_run"]:
        command_line.wrong(f"--judge {options['judge']} costs nothing: --dry-run is for models behind a service.")
    if options["judge"] == LEARNED and (named or options["carry_over"] != "look"):
        command_line.wrong("--judge learned reads text alone; --models and --carry-over are for --judge calibrated.")
    known = model_raters.list_teachers(collection)
    names = ", ".join(known.values_list("name", flat=True)) or "none yet"
    if options["judge"] == CALIBRATED and not named:
        command_line.wrong(f"--judge calibrated needs --models. There are: {names}.")
    found = [model for model in known if model.name in named]
    if missing := named.difference(model.name for model in found):
        command_line.wrong(f"There is no model {', '.join(sorted(missing))} with grades. There are: {names}.")
    return found

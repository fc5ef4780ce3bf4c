"""`manage.py suggest`: a judge's or a model's grades for the pairs of a collection."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.llm import services
from annotate.llm.judging import Against
from annotate.management import command_line, model_command
from annotate.models import Collection, Prompt, Suggestion, Work
from annotate.operations import asking, prompting, suggesting
from annotate.operations.asking import Wish

LEARNED = suggesting.LEARNED
SCOPES = {"pool": asking.POOL, "holes": asking.HOLES, "judged": asking.JUDGED}


class Command(BaseCommand):
    help = (
        "Ask a judge for suggestions on the pooled pairs: Lacuna's own learned judge, or a language model behind a "
        "service. Keys come from the environment; --dry-run counts calls and bounds the cost without making any."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(
            parser, "suggest --collection dl19 --judge anthropic --model claude-haiku-4-5 --prompt direct --dry-run"
        )
        command_line.add_collection(parser)
        parser.add_argument("--judge", choices=[LEARNED, *services.NAMES], default=LEARNED)
        model_command.add_model(parser)
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
        if said["judge"] == LEARNED:
            self._learned(collection, said)
            return
        wish = _wish(collection, said)
        try:
            if said["dry_run"]:
                model_command.tell_estimate(self, asking.estimate(collection=collection, wish=wish), said["json"])
                return
            batch = asking.request(collection=collection, wish=wish, by=None, now=timezone.now())
        except asking.CannotAsk as reason:
            command_line.refuse(str(reason))
        model_command.tell_batch(self, batch, said["wait"], said["json"])

    def _learned(self, collection: Collection, said: dict[str, Any]) -> None:
        try:
            batch = suggesting.request_learned(collection=collection, by=None, now=timezone.now())
        except suggesting.NothingToDo as reason:
            command_line.refuse(str(reason))
        told = {"rater": batch.rater.name, "pairs": batch.pairs, "state": Work.State.QUEUED}
        sentence = f"{batch.rater.name} is queued for {batch.pairs:,} pairs; a worker runs it (manage.py work)."
        if said["wait"]:
            ended = command_line.see_through(batch.work)
            if ended.state != Work.State.DONE:
                command_line.refuse(ended.error or "The batch was stopped; what was suggested is kept.")
            done = Suggestion.objects.filter(batch=batch, state=Suggestion.State.DONE).count()
            told |= {"state": ended.state, "done": done}
            sentence = f"{batch.rater.name} graded {done:,} pairs."
        command_line.answer(self, said["json"], told, sentence)


def _wish(collection: Collection, said: dict[str, Any]) -> Wish:
    if not said["model"]:
        command_line.wrong(f"--judge {said['judge']} needs --model, for instance --model claude-haiku-4-5.")
    return Wish(
        service=said["judge"],
        prompt=_prompt(collection, said["prompt"]),
        against=Against(said["against"].upper()),
        scope=SCOPES[said["pairs"]],
        samples=said["samples"],
        limit=said["limit"],
        examples=said["examples"],
        examples_from=said["examples_from"].upper(),
        is_structured=said["structured"],
        **model_command.calling(said),
    )


def _prompt(collection: Collection, name: str) -> Prompt:
    """One of Lacuna's, else the newest version of a researcher's."""
    if name in prompting.BUILT_IN:
        return prompting.use_built_in(collection=collection, name=name, now=timezone.now())
    own = Prompt.objects.filter(collection=collection, name=name, purpose=Prompt.Purpose.JUDGING)
    found = own.order_by("version").last()
    if found is None:
        known = ", ".join([*prompting.BUILT_IN, *sorted(set(own.values_list("name", flat=True)))])
        command_line.wrong(f"There is no prompt {name}. There are: {known}.")
    return found

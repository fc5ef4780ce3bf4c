from django.core.management.base import BaseCommand
from django.utils import timezone

from annotate.management import command_line
from annotate.models import Suggestion, Work
from annotate.operations import suggesting


class Command(BaseCommand):
    help = "Ask a judge for suggestions on the pooled pairs."

    def add_arguments(self, parser):
        command_line.add_example(parser, "suggest --collection dl19 --judge learned --wait")
        command_line.add_collection(parser)
        parser.add_argument("--judge", choices=["learned"], default="learned")
        parser.add_argument("--wait", action="store_true", help="run it here, to its end; else a worker will")

    def handle(self, judge, wait, **said):
        collection = command_line.collection(said["collection"])
        try:
            batch = suggesting.request_learned(collection=collection, by=None, now=timezone.now())
        except suggesting.NothingToDo as reason:
            command_line.refuse(str(reason))
        told = {"rater": batch.rater.name, "pairs": batch.pairs, "state": Work.State.QUEUED}
        sentence = f"{batch.rater.name} is queued for {batch.pairs:,} pairs; a worker runs it (manage.py work)."
        if wait:
            ended = command_line.see_through(batch.work)
            if ended.state != Work.State.DONE:
                command_line.refuse(ended.error or "The batch was stopped; what was suggested is kept.")
            done = Suggestion.objects.filter(batch=batch, state=Suggestion.State.DONE).count()
            told |= {"state": ended.state, "done": done}
            sentence = f"{batch.rater.name} graded {done:,} pairs."
        command_line.answer(self, said["json"], told, sentence)

from django.core.management.base import BaseCommand

from annotate.management import command_line, sample_loading


class Command(BaseCommand):
    help = "Load the sample collection: Python's own documentation, with topics, grades, runs and suggestions."

    def add_arguments(self, parser):
        command_line.add_example(parser, "load_sample")
        command_line.add_json(parser)

    def handle(self, **said):
        progress = self.stderr if said["json"] else self.stdout
        collection = sample_loading.load(lambda sentence: progress.write(f"  {sentence}"))
        told = {"collection": collection.slug, "logins": str(sample_loading.logins_path())}
        command_line.answer(self, said["json"], told, "\n".join(sample_loading.sentences(collection)))

from django.core.management.base import BaseCommand

from annotate.management import command_line, sample_loading


class Command(BaseCommand):
    help = "Load the sample collection: Python's own documentation, with topics, grades, runs and suggestions."

    def add_arguments(self, parser):
        command_line.add_example(parser, "load_sample")

    def handle(self, **said):
        collection = sample_loading.load(lambda sentence: self.stdout.write(f"  {sentence}"))
        for sentence in sample_loading.sentences(collection):
            self.stdout.write(sentence)

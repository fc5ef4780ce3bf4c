from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.management import command_line, sample


class Command(BaseCommand):
    help = "Load the sample collection: Python's own documentation, with topics, grades, runs and suggestions."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "load_sample --variants")
        parser.add_argument(
            "--variants",
            action="store_true",
            help="with query variants of all profiles, runs of them, holes in the pool (some 22,200 in place of 677, "
            "for every assessor: better in a data folder of its own, LACUNA_DATA_DIR), suggestions for these",
        )
        command_line.add_json(parser)

    def handle(self, *, variants: bool, json: bool, **options: Any) -> None:
        progress = self.stderr if json else self.stdout

        def tell(sentence: str) -> None:
            progress.write(f"  {sentence}")

        collection = sample.load_sample(tell)
        record: dict[str, object] = {"collection": collection.slug, "logins": str(sample.logins_path())}
        sentences = list(sample.closing_sentences(collection))
        if variants:
            record |= sample.load_variants(collection, tell)
            sentences.append(sample.next_command(record))
        command_line.answer(self, json, record, "\n".join(sentences))

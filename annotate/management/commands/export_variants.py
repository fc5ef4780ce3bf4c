from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.formats import whole_files
from annotate.management import command_line
from annotate.models import Collection, QueryVariant
from annotate.texts.queries import variants as variants_queries


class Command(BaseCommand):
    help = (
        "Write the query variants of a collection as topics (variants.tsv, variants.jsonl) and what each stands for "
        "(mapping.tsv; mapping.jsonl has the texts too)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(parser, "export_variants --collection dl21 --out variants/")
        command_line.add_collection(parser)
        parser.add_argument("--out", required=True, metavar="DIR", help="the folder to write to; made where missing")

    def handle(self, *, out: str, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        count = QueryVariant.objects.published().filter(collection=collection).count()
        if not count:
            command_line.refuse("The collection has no query variants: import or write some first.")
        try:
            digests = {name: _write(collection, name, Path(out)) for name in variants_queries.FILES}
        except OSError as error:
            command_line.wrong(f"Nothing can be written to {out}: {error.strerror}.")
        told = {"variants": count, "out": out, "sha256": digests}
        command_line.answer(self, options["json"], told, f"{count:,} query variants in {out}: {', '.join(digests)}.")


def _write(collection: Collection, name: str, folder: Path) -> str:
    """The file, whole or as it was; returns its SHA-256."""
    return whole_files.write(folder / name, variants_queries.read_file_lines(collection, name), mode=whole_files.PUBLIC)

from pathlib import Path

from django.core.management.base import BaseCommand
from django.utils import timezone

from annotate.management import command_line
from annotate.operations import exporting
from annotate.queries import completed_qrels, kept_files
from annotate.rules import completion, consensus


class Command(BaseCommand):
    help = "Freeze completed qrels under a named rule and write them, their provenance and a manifest to a folder."

    def add_arguments(self, parser):
        command_line.add_example(
            parser, "export_qrels --collection dl19 --rule reference,people,model:learned-1 --out completed/"
        )
        command_line.add_collection(parser)
        parser.add_argument(
            "--rule",
            default="reference,people",
            help="sources, strongest first: reference, original, people, model:NAME (default reference,people)",
        )
        parser.add_argument("--consensus", choices=consensus.RULES, help="default: the collection's")
        parser.add_argument("--out", required=True, metavar="DIR", help="the folder to write to; made where missing")

    def handle(self, rule, out, **said):
        collection = command_line.collection(said["collection"])
        try:
            chosen = completion.parse(rule, said["consensus"] or collection.consensus)
            frozen = exporting.freeze(collection=collection, rule=chosen, by=None, now=timezone.now())
        except (completion.UnknownRule, completed_qrels.NoSuchRater) as reason:
            command_line.wrong(str(reason))
        except exporting.NothingToExport as reason:
            command_line.refuse(str(reason))
        kept = kept_files.path(frozen.path)
        exporting.write({name: (kept / name).read_bytes() for name in exporting.FILES}, Path(out))
        told = {"version": frozen.number, "sha256": frozen.digest, "out": out, "manifest": frozen.manifest}
        sentence = f"{frozen.manifest['lines']:,} lines in {out} (version {frozen.number}, SHA-256 {frozen.digest})."
        command_line.answer(self, said["json"], told, sentence)

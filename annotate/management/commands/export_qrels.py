import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.exports import operations as exports_operations
from annotate.grades import completed_qrels, model_raters
from annotate.management import command_line
from annotate.models import Collection
from annotate.rules import completion
from annotate.work import kept_files


class Command(BaseCommand):
    help = "Freeze completed qrels under a named rule and write them, their provenance and a manifest to a folder."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(
            parser,
            "export_qrels --collection dl19 --rule reference,adjudicated,people,model:learned-1 --out completed/",
        )
        command_line.add_collection(parser)
        parser.add_argument(
            "--rule",
            help="sources, strongest first: reference, original, adjudicated, people, model:NAME "
            f"(default: {completed_qrels.USUAL_RULE})",
        )
        parser.add_argument("--consensus", choices=completion.CONSENSUS_RULES, help="default: the collection's")
        parser.add_argument(
            "--holes-as",
            type=int,
            choices=[exports_operations.HOLE],
            help="write pooled pairs that no source grades with -1 (default: they get no line)",
        )
        parser.add_argument("--out", required=True, metavar="DIR", help="the folder to write to; made where missing")

    def handle(self, *, rule: str | None, holes_as: int | None, out: str, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        _check_folder(Path(out))
        try:
            chosen = _rule(collection, rule, options["consensus"])
            frozen = exports_operations.freeze(
                collection=collection, rule=chosen, by=None, now=timezone.now(), with_holes=holes_as is not None
            )
        except (completion.UnknownRule, completed_qrels.NoSuchRater) as reason:
            command_line.wrong(str(reason))
        except exports_operations.NothingToExport as reason:
            command_line.refuse(str(reason))
        exports_operations.copy_files(kept_files.path(frozen.path), Path(out))
        warned = {
            rater.name: rater.parameters["warning"] for rater in model_raters.list_warned(collection, chosen.models)
        }
        told = {"version": frozen.number, "sha256": frozen.digest, "out": out, "manifest": frozen.manifest}
        told["warnings"] = warned
        sentence = f"{frozen.manifest['lines']:,} lines in {out} (version {frozen.number}, SHA-256 {frozen.digest})."
        sentence += "".join(f" But {name}: {warning}." for name, warning in warned.items())
        command_line.answer(self, options["json"], told, sentence)


def _rule(collection: Collection, text: str | None, consensus_rule: str | None) -> completion.Rule:
    if text is None:
        return completed_qrels.usual_rule(collection, consensus_rule or "")
    return completion.parse_rule(text, consensus_rule or collection.consensus)


def _check_folder(out: Path) -> None:
    """Whether the files can be written, before anything is frozen; makes nothing."""
    try:
        there = next(path for path in (out, *out.parents) if path.exists())
        tempfile.TemporaryFile(dir=there).close()
    except OSError as error:
        command_line.wrong(f"Nothing can be written to {out}: {error.strerror}.")

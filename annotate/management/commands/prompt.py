"""`manage.py prompt`: keep a prompt of one's own, or list the prompts of a collection."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.llm import prompts
from annotate.management import command_line, model_command
from annotate.models import Collection, Prompt
from annotate.suggestions.operations import prompts as operations


class Command(BaseCommand):
    help = (
        "Keep a prompt of your own as a version that never changes, from one file or two: --file has the part of each "
        "pair or topic, --fixed the part that is the same for all. Without --name, list the prompts that there are."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(
            parser, 'prompt --collection dl19 --name umbrela --file bing.txt --answer-form "mark: final score"'
        )
        command_line.add_collection(parser)
        parser.add_argument("--name", default="", help="the same name again makes a new version")
        parser.add_argument(
            "--purpose", choices=[purpose.value.lower() for purpose in Prompt.Purpose], default="judging"
        )
        model_command.add_prompt_arguments(parser)

    def handle(self, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        if not options["name"]:
            self._list(collection, Prompt.Purpose(options["purpose"].upper()), options["json"])
            return
        kept = model_command.read_prompt(Prompt.Purpose(options["purpose"].upper()), options)
        try:
            prompt = operations.write_prompt(
                collection=collection, name=options["name"], kept=kept, by=None, now=timezone.now()
            )
        except prompts.BadPrompt as reason:
            command_line.wrong(str(reason))
        answered = f" Answer form: {prompt.answer_form}." if prompt.answer_form else ""
        command_line.answer(self, options["json"], _describe(prompt), f"Kept as {prompt}.{answered}")

    def _list(self, collection: Collection, purpose: Prompt.Purpose, as_json: bool) -> None:
        built_in = [(name, operations.BUILT_IN[name].answer_form) for name in operations.list_built_in_prompts(purpose)]
        own = list(operations.list_own_prompts(collection, purpose))
        lines = [f"{name}: {form}" if form else name for name, form in built_in]
        lines += [f"{prompt}: {prompt.answer_form}" if prompt.answer_form else str(prompt) for prompt in own]
        record = {
            "built_in": [{"name": name, "answer_form": form} for name, form in built_in],
            "own": [_describe(prompt) for prompt in own],
        }
        command_line.answer(self, as_json, record, "\n".join(lines))


def _describe(prompt: Prompt) -> dict[str, object]:
    return {
        "name": prompt.name,
        "version": prompt.version,
        "answer_form": prompt.answer_form,
        "is_fenced": prompt.is_fenced,
        "digest": prompt.digest,
    }

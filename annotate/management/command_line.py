"""What the commands share: finding the collection, showing progress, answering in words or JSON, exit codes.

Exit codes: 0 done, 1 nothing to do or refused, 2 wrong use or bad input.
"""

import json
import sys
from collections.abc import Mapping
from typing import NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.formats.faults import Refused
from annotate.formats.scale import GradeScale
from annotate.models import Collection, Work
from annotate.pairs import refresh
from annotate.work import engine


def add_example(parser: CommandParser, example: str) -> None:
    """Every command's --help ends with an example that can be typed."""
    parser.epilog = f"example: python manage.py {example}"


def add_collection(parser: CommandParser) -> None:
    parser.add_argument("--collection", required=True, metavar="SLUG", help="short name of the collection")
    add_json(parser)


def add_json(parser: CommandParser) -> None:
    parser.add_argument("--json", action="store_true", help="answer in JSON on standard output")


def collection(slug: str) -> Collection:
    found = Collection.objects.filter(slug=slug).first()
    if found is None:
        known = ", ".join(Collection.objects.order_by("slug").values_list("slug", flat=True)[:20]) or "none yet"
        wrong(f"There is no collection {slug}. There are: {known}.")
    return found


def scale(text: str) -> GradeScale:
    try:
        return GradeScale.parse(text)
    except Refused as reason:
        wrong(str(reason))


def wrong(sentence: str) -> NoReturn:
    """Wrong use or bad input."""
    raise CommandError(sentence, returncode=2)


def refuse(sentence: str) -> NoReturn:
    """Nothing to do, or refused for the state that things are in."""
    raise CommandError(sentence, returncode=1)


def answer(command: BaseCommand, as_json: bool, record: Mapping[str, object], sentence: str) -> None:
    command.stdout.write(json.dumps(record) if as_json else sentence)


def see_through(queued: Work) -> Work:
    """Run queued work to its end with progress on the terminal."""
    ended = engine.see_through(queued.pk, _show if sys.stderr.isatty() else lambda row: None)
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    return ended


def let_pairs_follow(collection: Collection) -> None:
    """See the work through that brings the pairs of a large collection in line with a change, where there is some."""
    if queued := refresh.unfinished_work(collection):
        ended = see_through(queued)
        if ended.state != Work.State.DONE:
            refuse(f"The change is stored, but its pairs do not follow yet: {ended.error or 'the work was stopped'}")


def _show(row: Work) -> None:
    share = f"{row.done:,} of {row.total:,}" if row.total else f"{row.done:,}"
    sys.stderr.write(f"\r\033[K{row.subject}: {share} {row.note}")
    sys.stderr.flush()

"""`manage.py work`: the background worker of the default size; no broker, the rows are the queue."""

import time
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.management import supervision
from annotate.models import Work
from annotate.own_judges.operations import requests
from annotate.work import engine, queue

REST_SECONDS = 0.5
# A look at what nobody has to ask for counts the judged pairs of collections.
LOOK_SECONDS = 30


class _Leaving(BaseException):
    """Asked to end in the middle of a piece; not an Exception, which would be taken for a fault of the work."""


class Command(BaseCommand):
    help = (
        "Run background work (imports, pools, suggestions) as it comes; ends after the present step when asked to. "
        "`manage.py serve` starts two beside the web server, of which one asks models alone: that can take hours. "
        "Example: manage.py work --once"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="run what waits, then end")
        parser.add_argument(
            "--queue",
            "--lane",
            dest="queues",
            action="append",
            choices=queue.QUEUES,
            default=[],
            help="only work of this queue; give it again for another one (default: all work)",
        )

    def handle(self, *, once: bool, queues: list[str], **_: Any) -> None:
        with supervision.watch_end_signals() as is_asked:
            beaten_at = looked_at = float("-inf")
            while not is_asked():
                if time.monotonic() - beaten_at >= engine.BEAT_SECONDS:
                    engine.beat()
                    beaten_at = time.monotonic()
                if time.monotonic() - looked_at >= LOOK_SECONDS:
                    requests.enqueue_due(timezone.now())
                    looked_at = time.monotonic()
                if (piece := engine.claim(queues=queues)) is not None:
                    _run(piece, is_asked)
                elif once:
                    return
                else:
                    time.sleep(REST_SECONDS)


def _run(piece: Work, is_asked: Callable[[], bool]) -> None:
    def leave_if_asked(piece: Work) -> None:
        if is_asked():
            raise _Leaving

    try:
        engine.run(piece, on_step=leave_if_asked)
    except _Leaving:
        engine.give_back(piece)

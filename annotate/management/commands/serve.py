"""`manage.py serve`: the web server and the workers under one supervisor, in the foreground."""

import gc
import importlib
import socket
import sys
import threading
from argparse import ArgumentTypeError
from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.servers.basehttp import get_internal_wsgi_application
from django.db import connections
from django.urls import get_resolver

from annotate.management import supervision, web_server
from annotate.management.supervision import KeptProcess, Run
from annotate.work import queue

WRONG_USE = 2


class Command(BaseCommand):
    help = (
        "Serve Lacuna: the web server and the background workers, each started again when it dies, ended together by "
        "Ctrl-C or SIGTERM. With CELERY_BROKER_URL they are Celery's. Example: manage.py serve --port 8001"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
        parser.add_argument(
            "--port", type=_whole(0, 65535), default=8000, help="0 takes a free one (default: %(default)s)"
        )
        parser.add_argument(
            "--processes",
            type=_whole(1, 256),
            default=settings.WEB_PROCESSES,
            help="processes of the web server (default: WEB_CONCURRENCY, else 2)",
        )
        parser.add_argument("--threads", type=_whole(1, 256), default=8, help="threads of each (default: %(default)s)")

    def handle(self, *, host: str, port: int, processes: int, threads: int, **_: Any) -> None:
        with supervision.watch_end_signals() as is_asked, _listen(host, port) as listening:
            self._say(f"Lacuna is at {_address(listening)} (Ctrl-C ends it).")
            answer = partial(serve, listening, load(), threads)
            kept = [KeptProcess(f"web server {number + 1}", answer, self._say) for number in range(processes)]
            kept += [KeptProcess(name, run, self._say) for name, run in workers().items()]
            supervision.keep_running(kept, until=is_asked)
        self._say("Lacuna has ended.")

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not (value.isascii() and value.isdigit() and len(value) <= 5 and least <= int(value) <= most):
            raise ArgumentTypeError(f"a whole number from {least} to {most} is needed, not {value!r}")
        return int(value)

    return read


def load() -> Callable[..., Any]:
    """The application with all its pages, loaded once: the processes that are started begin as copies of this one."""
    web_server.allow_connections()
    application = get_internal_wsgi_application()
    _ = get_resolver().url_patterns
    connections.close_all()
    gc.collect()
    gc.freeze()  # a collection that looks through what all share would copy it
    return application


def serve(listening: socket.socket, application: Callable[..., Any], threads: int) -> None:
    with supervision.watch_end_signals() as is_asked:
        web_server.serve(listening, application, threads, is_asked)


def workers() -> dict[str, Run]:
    """The background workers by name: our own loop twice, or Celery's twice where there is a broker.

    One of ours asks models and does nothing else, so that imports need not wait until it has its answers.
    """
    others = [name for name in queue.QUEUES if name != queue.SUGGESTIONS]
    if settings.CELERY_BROKER_URL:
        clock = ["--beat", "--schedule", str(settings.DATA_DIR / "celerybeat-schedule")]
        return {"worker": _celery(others, *clock), "suggestions": _celery([queue.SUGGESTIONS])}
    return {"worker": partial(_work, others), "suggestions": partial(_work, [queue.SUGGESTIONS])}


def _work(queues: list[str]) -> None:
    if queue.FINDINGS in queues:
        threading.Thread(target=_warm_up, name="slow imports", daemon=True).start()
    call_command("work", queues=queues)


def _warm_up() -> None:
    """Import what takes seconds, so that the first finding does not wait for it."""
    for name in ("krippendorff", "sklearn.metrics"):
        importlib.import_module(name)


def _celery(queues: list[str], *more: str) -> Run:
    return supervision.program(
        [
            *(sys.executable, "-m", "celery", "--workdir", str(settings.BASE_DIR), "--app", "config", "worker"),
            *("--queues", ",".join(queues), "--hostname", f"{queues[0]}@%h", *more),
            *("--concurrency", "2", "--loglevel", "WARNING"),
        ]
    )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=web_server.BACKLOG)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or f"{host!r} is no address of this machine"
        raise CommandError(
            f"Lacuna cannot listen: {reason}. Choose another port: PORT={port + 1} make ..., or --port.",
            returncode=WRONG_USE,
        ) from error


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    if host in ("127.0.0.1", "::1", "0.0.0.0", "::"):
        host = "localhost"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"

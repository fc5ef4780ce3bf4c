"""`manage.py serve`: the web server and the workers under one supervisor, in the foreground."""

import os
import socket
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.management import supervision
from annotate.management.supervision import KeptProcess
from annotate.work import queue

WRONG_USE = 2


class Command(BaseCommand):
    help = (
        "Serve Lacuna: gunicorn and the background workers, each started again when it dies, ended together by "
        "Ctrl-C or SIGTERM. With CELERY_BROKER_URL they are Celery's. Example: manage.py serve --port 8001"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
        parser.add_argument("--port", type=int, default=8000, help="0 takes a free one (default: %(default)s)")
        parser.add_argument(
            "--processes",
            type=int,
            default=os.environ.get("WEB_CONCURRENCY") or "2",
            help="processes of the web server (default: WEB_CONCURRENCY, else 2)",
        )
        parser.add_argument("--threads", type=int, default=8, help="threads of each (default: %(default)s)")

    def handle(self, *, host: str, port: int, processes: int, threads: int, **_: Any) -> None:
        with supervision.watch_end_signals() as is_asked, _listen(host, port) as listening:
            kept = [
                KeptProcess("web server", web_server(listening, processes, threads), self._say, [listening.fileno()]),
                *(KeptProcess(name, command, self._say) for name, command in workers().items()),
            ]
            self._say(f"Lacuna is at {_address(listening)} (Ctrl-C ends it).")
            supervision.keep_running(kept, until=is_asked)
        self._say("Lacuna has ended.")

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


def web_server(listening: socket.socket, processes: int, threads: int) -> list[str]:
    """The command of gunicorn on a socket that is bound already: it outlives a restart, so requests wait meanwhile."""
    return [
        *(sys.executable, "-m", "gunicorn", "config.wsgi", "--chdir", str(settings.BASE_DIR)),
        *("--bind", f"fd://{listening.fileno()}", "--worker-class", "gthread"),
        *("--workers", str(processes), "--threads", str(threads)),
        *("--graceful-timeout", "10", "--log-level", "warning", "--no-control-socket"),
    ]


def workers() -> dict[str, list[str]]:
    """The commands of the background workers by name: our own loop twice, or Celery's twice where there is a broker.

    One of ours asks models and does nothing else, so that imports need not wait until it has its answers.
    """
    others = [name for name in queue.QUEUES if name != queue.SUGGESTIONS]
    if settings.CELERY_BROKER_URL:
        clock = ["--beat", "--schedule", str(settings.DATA_DIR / "celerybeat-schedule")]
        return {"worker": _celery(others, *clock), "worker for suggestions": _celery([queue.SUGGESTIONS])}
    return {"worker": _loop(others), "worker for suggestions": _loop([queue.SUGGESTIONS])}


def _loop(queues: list[str]) -> list[str]:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "work"]
    return command + [part for name in queues for part in ("--queue", name)]


def _celery(queues: list[str], *more: str) -> list[str]:
    return [
        *(sys.executable, "-m", "celery", "--workdir", str(settings.BASE_DIR), "--app", "config", "worker"),
        *("--queues", ",".join(queues), "--hostname", f"{queues[0]}@%h", *more),
        *("--concurrency", "2", "--loglevel", "WARNING"),
    ]


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise CommandError(
            f"Lacuna cannot listen: {error.strerror}. Choose another port: PORT={port + 1} make ..., or --port.",
            returncode=WRONG_USE,
        ) from error


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    if host in ("127.0.0.1", "::1", "0.0.0.0", "::"):
        host = "localhost"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"

"""`manage.py serve`: the web server and the worker under one supervisor, in the foreground."""

import os
import socket
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.management import ending, supervision
from annotate.management.supervision import KeptProcess

WRONG_USE = 2


class Command(BaseCommand):
    help = (
        "Serve Lacuna: gunicorn and the background worker, both started again when they die, ended together by "
        "Ctrl-C or SIGTERM. With CELERY_BROKER_URL the worker is Celery's. Example: manage.py serve --port 8001"
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
        with ending.asked() as is_asked, _listen(host, port) as listening:
            kept = [
                KeptProcess("web server", web_server(listening, processes, threads), self._say, [listening.fileno()]),
                KeptProcess("worker", worker(), self._say),
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


def worker() -> list[str]:
    """The command of the background worker: our own loop, or Celery's where there is a broker."""
    if not settings.CELERY_BROKER_URL:
        return [sys.executable, str(settings.BASE_DIR / "manage.py"), "work"]
    return [
        *(sys.executable, "-m", "celery", "--workdir", str(settings.BASE_DIR), "--app", "config", "worker"),
        *("--beat", "--schedule", str(settings.DATA_DIR / "celerybeat-schedule")),
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

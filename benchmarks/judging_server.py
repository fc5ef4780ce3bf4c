"""The server that `make demo` starts, on a data folder of its own, and what it costs. Linux only."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

_ROOT = Path(__file__).resolve().parents[1]
_TICKS = os.sysconf("SC_CLK_TCK")
_PATIENCE_SECONDS = 120


class Server(NamedTuple):
    address: str
    pid: int
    data: Path
    log: Path

    def processor_seconds(self) -> float:
        """Of all its processes until now: the web server's, the workers' and the one that watches over them."""
        result = {int(path.parent.name): line for path in Path("/proc").glob("[0-9]*/stat") if (line := _read(path))}
        return family_seconds(result, self.pid)

    def is_idle(self) -> bool:
        """Whether it has nothing to do for half a second: neither background work nor its slow imports."""
        before = self.processor_seconds()
        time.sleep(0.5)
        return self.is_quiet() and self.processor_seconds() - before < 0.05

    def is_quiet(self) -> bool:
        """Whether no background work waits or runs."""
        [[waiting]] = self.rows("SELECT count(*) FROM annotate_work WHERE state IN ('QUEUED', 'RUNNING')")
        return waiting == 0

    def rows(self, statement: str) -> list[tuple[int, ...]]:
        with closing(sqlite3.connect(self.data / "db.sqlite3", timeout=60)) as database:
            return database.execute(statement).fetchall()


def environment(data: Path) -> dict[str, str]:
    """The present one, with this data folder and without another database or broker."""
    ours = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CELERY_BROKER_URL")}
    return {**ours, "DJANGO_SETTINGS_MODULE": "config.settings", "LACUNA_DATA_DIR": str(data)}


def python(data: Path, *arguments: str) -> str:
    """What a Python process prints that works in the installation of a data folder."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=environment(data), cwd=_ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def install(data: Path) -> None:
    """An empty installation, as `make prepared` leaves it."""
    python(data, "manage.py", "migrate", "--verbosity", "0")
    python(data, "manage.py", "collectstatic", "--no-input", "--verbosity", "0")


def copy(installed: Path, data: Path) -> Path:
    return Path(shutil.copytree(installed, data))


@contextmanager
def running(data: Path) -> Iterator[Server]:
    """`manage.py serve` on a free port until the end of the block, once its imports and background work are done."""
    log = data / "server.log"
    command = [sys.executable, "manage.py", "serve", "--port", "0"]
    with (
        log.open("w") as errors,
        subprocess.Popen(
            command, env=environment(data), cwd=_ROOT, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        try:
            assert process.stdout
            announced = re.search(r"http://\S+", process.stdout.readline())
            assert announced, log.read_text()
            server = Server(announced[0], process.pid, data, log)
            _wait_until_idle(server)
            yield server
        finally:
            process.terminate()
            process.communicate(timeout=_PATIENCE_SECONDS)


def family_seconds(stats: Mapping[int, str], root: int) -> float:
    """Processor seconds of a process and all that descend from it, from lines of /proc/PID/stat by PID."""
    fields = {pid: line.rpartition(")")[2].split() for pid, line in stats.items()}
    family, children = {root}, {root}
    while children := {pid for pid, values in fields.items() if int(values[1]) in children}:
        family |= children
    return sum(int(fields[pid][11]) + int(fields[pid][12]) for pid in family & fields.keys()) / _TICKS


def _wait_until_idle(server: Server) -> None:
    with urllib.request.urlopen(f"{server.address}sign-in/"):  # answered once the application is loaded
        deadline = time.monotonic() + _PATIENCE_SECONDS
    while not server.is_idle():
        assert time.monotonic() < deadline, "the background work does not end"


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError):  # it ended in this moment
        return ""

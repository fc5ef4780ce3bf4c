"""An installation with pairs to ask about, a worker that can be killed, and a service that stands in for a real one."""

import json
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import judging_server
from tests.model_service.server import KEY

_ROOT = Path(__file__).resolve().parents[1]
_PATIENCE_SECONDS = 300
MODEL = "claude-haiku-4-5"
SLUG = "asked"
_FILL = """
from tests import factories
factories.make_holes(factories.make_collection("{slug}"), topics={topics}, passages=10)
"""


class Counts(NamedTuple):
    """As the service counts: answers delivered, their tokens, and the seconds from the first call to the last."""

    calls: int
    most_under_way: int
    tokens: dict[str, int]
    seconds: float


class StandIn(NamedTuple):
    address: str

    def counts(self) -> Counts:
        with urllib.request.urlopen(f"{self.address}/count", timeout=_PATIENCE_SECONDS) as answer:
            return Counts(**json.load(answer))


class Site(NamedTuple):
    """A data folder whose database is migrated, and the service that its worker asks."""

    data: Path
    service: StandIn

    def fill(self, topics: int) -> None:
        """So many topics with ten pooled passages each."""
        self.manage("shell", "--no-imports", "-c", _FILL.format(slug=SLUG, topics=topics))

    def ask(self, *arguments: str) -> int:
        """Queue a batch about all pairs; its id."""
        told = self.manage(
            *("suggest", "--collection", SLUG, "--judge", "anthropic", "--model", MODEL, "--json", *arguments)
        )
        return int(json.loads(told)["batch"])

    def manage(self, *arguments: str) -> str:
        """What a command prints."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, env=self._environment, cwd=_ROOT, stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        with subprocess.Popen([sys.executable, "manage.py", "work"], env=self._environment, cwd=_ROOT) as process:
            try:
                yield process
            finally:
                process.terminate()
                process.wait(_PATIENCE_SECONDS)

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.data / "db.sqlite3", timeout=60)) as database, database:
            return database.execute(statement, values).fetchall()

    def let_leases_run_out(self) -> None:
        """As half a minute after a worker's death."""
        self.rows("UPDATE annotate_work SET lease_until = '2000-01-01 00:00:00' WHERE state = 'RUNNING'")

    @property
    def _environment(self) -> dict[str, str]:
        ours = judging_server.environment(self.data)
        return ours | {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": self.service.address}


@contextmanager
def standing_in(**script: object) -> Iterator[StandIn]:
    """The service in a process of its own, as its script says (`tests/model_service/script.py`)."""
    command = [sys.executable, "-m", "tests.model_service.server", json.dumps(script)]
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield StandIn(process.stdout.readline().strip())
        finally:
            process.terminate()


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)

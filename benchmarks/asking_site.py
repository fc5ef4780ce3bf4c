"""An installation to ask models in: pairs, a service that stands in, a worker that is killed again and again."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from annotate.llm import capabilities, providers
from annotate.llm.messages import Tokens
from benchmarks import judging_server
from tests.model_service.script import KEY

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
        answer = self.manage(
            *("suggest", "--collection", SLUG, "--judge", "anthropic", "--model", MODEL, "--json", *arguments)
        )
        return int(json.loads(answer)["batch"])

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


FINAL = {"DONE", "REFUSED", "EMPTY", "UNPARSED", "TRUNCATED", "FILTERED", "FAILED", "CANCELLED"}


class Outcome(NamedTuple):
    """`stored` and `paid` are pairs of answers and US dollars, by our rows and by the service's own count.
    `most_lost` answers may have been under way at the kills; `possibly_billed` calls are counted without an answer."""

    states: Counter[str]
    pairs: int
    stored: tuple[int, Decimal]
    paid: tuple[int, Decimal]
    most_lost: int
    possibly_billed: int

    @property
    def is_all_counted(self) -> bool:
        """Whether the service billed no call that is not counted here, as answered or as possibly billed."""
        return self.paid[0] <= self.stored[0] + self.possibly_billed

    @property
    def is_whole(self) -> bool:
        """Whether every pair ended in exactly one final state."""
        return self.states.keys() <= FINAL and self.states.total() == self.pairs

    @property
    def is_within_what_was_under_way(self) -> bool:
        """Whether no more was paid than is stored and may have been under way at the kills, by the dearest answers."""
        lost, cost = self.paid[0] - self.stored[0], self.paid[1] - self.stored[1]
        dearest = _cost(Tokens(fresh=2_000, given=200))
        return 0 <= lost <= self.most_lost and 0 <= cost <= lost * dearest


def run_killed_batch(site: Site, *, kills: int, concurrency: int) -> Outcome:
    """Ask about all pairs of the site; the worker is killed when so many equal parts of the answers were given."""
    [[pairs]] = site.rows("SELECT count(*) FROM annotate_pair")
    batch = site.ask("--concurrency", str(concurrency))
    for number in range(1, kills + 1):
        enough = pairs * number // (kills + 1)
        with site.worker() as worker:
            wait_until(partial(_has_answered, site, enough))
            os.kill(worker.pid, signal.SIGKILL)
        site.let_leases_run_out()
    site.manage("work", "--once")
    return _outcome(site, batch, pairs, kills * concurrency)


def _has_answered(site: Site, calls: int) -> bool:
    return site.service.counts().calls >= calls


def _cost(tokens: Tokens) -> Decimal:
    price = providers.find_price("anthropic", MODEL)
    assert price is not None, f"{MODEL} has no price"
    return capabilities.compute_cost(price, tokens, is_batch=False)


def _outcome(site: Site, batch: int, pairs: int, most_lost: int) -> Outcome:
    states = site.rows("SELECT state, count(DISTINCT pair_id) FROM annotate_suggestion GROUP BY state")
    [row] = site.rows(
        "SELECT tokens_fresh, tokens_cached, tokens_written, tokens_given, calls, lost_calls FROM annotate_batch "
        "WHERE id = ?",
        batch,
    )
    counts = site.service.counts()
    paid = Tokens(**counts.tokens)
    return Outcome(
        states=Counter(dict(states)),
        pairs=pairs,
        stored=(row[4], _cost(Tokens(*row[:4]))),
        paid=(counts.calls, _cost(paid)),
        most_lost=most_lost,
        possibly_billed=row[5],
    )

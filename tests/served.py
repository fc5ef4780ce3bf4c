"""`manage.py serve` as a process of its own, for tests that look at it from outside."""

import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import migrated

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_SECONDS = 40
# For modules that start an installation of their own, on SQLite, and end or kill it.
OWN_INSTALLATION = [
    pytest.mark.slow,
    pytest.mark.skipif("DATABASE_URL" in os.environ, reason="on a SQLite of its own: run by make test-all"),
]


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    """The present one, but with a data folder of its own, and a database only where `more` names one."""
    ours = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CELERY_BROKER_URL")}
    return {**ours, "DJANGO_SETTINGS_MODULE": "config.settings", "LACUNA_DATA_DIR": str(data_dir), **more}


def migrate(data_dir: Path) -> None:
    """Put an empty database into a data folder."""
    migrated.copy(data_dir / "db.sqlite3")


def manage(*arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)


@contextmanager
def running(env: dict[str, str], port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process and the address that it tells; port 0 takes a free one."""
    command = [sys.executable, str(ROOT / "manage.py"), "serve", "--port", str(port)]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            told = re.search(r"http://\S+", process.stdout.readline())
            assert told is not None
            yield process, told[0]
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE_SECONDS)


def answers(address: str) -> bool:
    """Whether anything speaks HTTP there; which page it is does not matter."""
    try:
        with urllib.request.urlopen(address, timeout=5):
            return True
    except urllib.error.HTTPError as answer:
        answer.close()
        return True
    except OSError:
        return False


def children(pid: int) -> dict[int, str]:
    """Names and commands of the living processes that `pid` has started itself."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,stat=,comm=,args="], capture_output=True, text=True, check=True
    )
    rows = [line.split(maxsplit=3) for line in listed.stdout.splitlines()]
    return {int(row[0]): row[3] for row in rows if int(row[1]) == pid and not row[2].startswith("Z")}


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    return bool(stat.strip()) and not stat.startswith("Z")


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.1)

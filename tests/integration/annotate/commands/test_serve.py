"""The supervisor from outside: real processes, real signals, a database of their own."""

import os
import signal
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests import served

pytestmark = [*served.OWN_INSTALLATION, pytest.mark.xdist_group("serve")]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    served.migrate(folder)
    return folder


@pytest.fixture
def env(data_dir) -> dict[str, str]:
    return served.environment(data_dir, WEB_CONCURRENCY="1")


def _workers(data_dir: Path) -> set[int]:
    """Process ids of the workers that left a sign of life."""
    with closing(sqlite3.connect(data_dir / "db.sqlite3")) as database:
        return {int(name.rsplit(":")[-1]) for (name,) in database.execute("SELECT name FROM annotate_worker")}


def _child(pid: int, word: str) -> int | None:
    return next((child for child, command in served.children(pid).items() if command.startswith(word)), None)


def _are_at_work(pid: int, data_dir: Path) -> bool:
    """Whether the worker for suggestions and the one for all else have left a sign of life."""
    found = {_child(pid, name) for name in ("worker", "suggestions")}
    return None not in found and found <= _workers(data_dir)


def test_it_serves_and_works_and_sigterm_ends_everything(data_dir, env):
    with served.running(env) as (process, address):
        served.wait_for(lambda: served.answers(address))
        served.wait_for(lambda: _are_at_work(process.pid, data_dir))
        children = served.children(process.pid)
        process.terminate()
        assert process.wait(served.PATIENCE_SECONDS) == 0
        assert not any(served.is_alive(child) for child in children)
    assert not served.answers(address)


def test_what_dies_is_started_again(data_dir, env):
    with served.running(env) as (process, address):
        served.wait_for(lambda: served.answers(address))
        killed = set(served.children(process.pid))
        assert len(killed) == 3
        for child in killed:
            os.kill(child, signal.SIGKILL)
        served.wait_for(lambda: len(set(served.children(process.pid)) - killed) == 3)
        served.wait_for(lambda: served.answers(address))
        served.wait_for(lambda: _are_at_work(process.pid, data_dir))


@pytest.mark.skipif(sys.platform != "linux", reason="the tie between the processes is Linux's prctl")
def test_nothing_is_left_when_the_supervisor_itself_is_killed(env):
    with served.running(env) as (process, address):
        served.wait_for(lambda: served.answers(address))
        children = served.children(process.pid)
        process.kill()
        served.wait_for(lambda: not any(served.is_alive(child) for child in children))


def test_a_taken_port_is_said_before_anything_starts(env):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = served.manage("serve", "--port", str(port), env=env)
    assert refused.returncode == 2
    assert "Lacuna cannot listen: Address already in use" in refused.stderr
    assert f"Choose another port: PORT={port + 1}" in refused.stderr


def test_tests_of_a_group_run_in_one_process(request):
    """pytest-xdist names the group behind the test; where it does not, tests that share a server run at once."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        pytest.skip("one process runs all tests")
    assert request.node.nodeid.endswith("@serve")

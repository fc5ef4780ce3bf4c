"""A judgment that was acknowledged is there, once, although the web server was killed in the same moment, or while ten
people judge."""

import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress

import pytest

from tests import served

pytestmark = served.OWN_INSTALLATION

PEOPLE, KILLS = 10, 10
FILL = """
from knox.models import AuthToken
from tests import factories
collection = factories.make_holes(factories.make_collection("holes", target={people}), topics=20, passages=10)
for _ in range({people}):
    assessor = factories.make_assessor(collection)
    print(AuthToken.objects.create(user=assessor.user)[1])
"""
SERVE = """
import socket, sys
import django
django.setup()
from annotate.management.commands import serve
serve.serve(socket.socket(fileno=int(sys.argv[1])), serve.load(), 8)
"""


@pytest.fixture
def env(tmp_path):
    served.migrate(tmp_path)
    return served.environment(tmp_path, WEB_CONCURRENCY="1")


def _fill(env, people):
    """The tokens of so many assessors."""
    filled = served.manage("shell", "--no-imports", "-c", FILL.format(people=people), env=env)
    assert filled.returncode == 0, filled.stderr
    return filled.stdout.split()[-people:]


def _post(address, token, path, body=None, key=None):
    """The status and what was told."""
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(
        f"{address}api/v1/collections/holes/{path}",
        data=json.dumps(body).encode(),
        headers={**headers, "Idempotency-Key": key} if key else headers,
    )
    with urllib.request.urlopen(request, timeout=served.PATIENCE_SECONDS) as answer:
        return answer.status, json.load(answer)


def _kill_web_server(pid):
    """With all its processes, and no word before."""
    killed = [child for child, command in served.children(pid).items() if command.startswith("web server")]
    assert killed
    for one in killed:
        os.kill(one, signal.SIGKILL)
    served.wait_for(lambda: not any(served.is_alive(one) for one in killed))


def _stored(tmp_path, claim):
    """Ids and grades of the judgments of a claim."""
    query = "SELECT j.id, j.grade FROM annotate_judgment j JOIN annotate_claim c ON c.id = j.claim_id WHERE c.token = ?"
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as database:
        return database.execute(query, [uuid.UUID(claim).hex]).fetchall()


def test_an_acknowledged_judgment_outlives_kill_9_and_is_stored_once(env, tmp_path):
    [token] = _fill(env, 1)
    with served.running(env) as (process, address):
        served.wait_for(lambda: served.answers(f"{address}api/v1/collections/"))
        for grade in (1, 2):
            _, told = _post(address, token, "next/")
            sent, key = {"claim": told["claim"], "grade": grade}, str(uuid.uuid4())
            status, saved = _post(address, token, "judgments/", sent, key)
            _kill_web_server(process.pid)
            assert status == 201
            assert _stored(tmp_path, told["claim"]) == [(saved["id"], grade)]
            served.wait_for(lambda: served.answers(f"{address}api/v1/collections/"))
            assert _post(address, token, "judgments/", sent, key) == (200, saved)
            assert _stored(tmp_path, told["claim"]) == [(saved["id"], grade)]


def _judge(address, token, acknowledged, is_over):
    """Judge until it is over. What got no answer is sent again under its key, as the page does it; `acknowledged`
    gathers the claim, the grade and the stored id of each answer that came."""
    waiting = None  # (body, key) of an answer that may not have reached the server
    while not is_over.wait(0.1):
        with suppress(OSError, http.client.HTTPException):
            if waiting is None:
                _, told = _post(address, token, "next/")
                waiting = {"claim": told["claim"], "grade": len(acknowledged) % 4}, str(uuid.uuid4())
            body, key = waiting
            _, saved = _post(address, token, "judgments/", body, key)
            acknowledged.append((body["claim"], body["grade"], saved["id"]))
            waiting = None


@contextmanager
def _web_server(listening, env):
    """The one that `manage.py serve` starts, killed in the end with all its processes and no word before."""
    command = [sys.executable, "-c", SERVE, str(listening.fileno())]
    with subprocess.Popen(
        command, env=env, cwd=served.ROOT, pass_fds=[listening.fileno()], start_new_session=True
    ) as process:
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def test_ten_people_judge_on_while_the_web_server_is_killed_ten_times(env, tmp_path):
    tokens, acknowledged, is_over = _fill(env, PEOPLE), [], threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(PEOPLE) as pool:
        address = "http://{}:{}/".format(*listening.getsockname())
        people = [pool.submit(_judge, address, token, acknowledged, is_over) for token in tokens]
        try:
            for _ in range(KILLS):
                before = len(acknowledged)
                with _web_server(listening, env):
                    served.wait_for(lambda before=before: len(acknowledged) > before + PEOPLE)
        finally:
            is_over.set()
            listening.close()  # who still waits for an answer is told that there is none
        for person in people:
            person.result()
    for claim, grade, pk in acknowledged:
        assert _stored(tmp_path, claim) == [(pk, grade)]
    assert len({claim for claim, _, _ in acknowledged}) == len(acknowledged) > PEOPLE * KILLS

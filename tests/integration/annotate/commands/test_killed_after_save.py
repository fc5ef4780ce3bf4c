"""A judgment that was acknowledged is there, once, although the web server was killed in the same moment."""

import json
import os
import signal
import sqlite3
import urllib.request
import uuid
from contextlib import closing

import pytest

from tests import served

FILL = """
from knox.models import AuthToken
from tests import factories
collection = factories.make_holes(factories.make_collection("holes"))
assessor = factories.make_assessor(collection)
print(AuthToken.objects.create(user=assessor.user)[1])
"""


@pytest.fixture
def env(tmp_path):
    env = served.environment(tmp_path)
    made = served.manage("migrate", "-v0", env=env)
    assert made.returncode == 0, made.stderr
    return env


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
    first = next(child for child, command in served.children(pid).items() if "gunicorn" in command)
    killed = [first, *served.children(first)]
    assert len(killed) > 1
    for one in killed:
        os.kill(one, signal.SIGKILL)
    served.wait_for(lambda: not any(served.is_alive(one) for one in killed))


def _stored(tmp_path, claim):
    """Ids and grades of the judgments of a claim."""
    query = "SELECT j.id, j.grade FROM annotate_judgment j JOIN annotate_claim c ON c.id = j.claim_id WHERE c.token = ?"
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as database:
        return database.execute(query, [uuid.UUID(claim).hex]).fetchall()


def test_an_acknowledged_judgment_outlives_kill_9_and_is_stored_once(env, tmp_path):
    filled = served.manage("shell", "--no-imports", "-c", FILL, env=env)
    assert filled.returncode == 0, filled.stderr
    token = filled.stdout.split()[-1]
    with served.running(env) as (process, address):
        served.wait_for(lambda: served.answers(f"{address}api/v1/collections/"))
        for grade in (1, 2, 3):
            _, told = _post(address, token, "next/")
            sent, key = {"claim": told["claim"], "grade": grade}, str(uuid.uuid4())
            status, saved = _post(address, token, "judgments/", sent, key)
            _kill_web_server(process.pid)
            assert status == 201
            assert _stored(tmp_path, told["claim"]) == [(saved["id"], grade)]
            served.wait_for(lambda: served.answers(f"{address}api/v1/collections/"))
            assert _post(address, token, "judgments/", sent, key) == (200, saved)
            assert _stored(tmp_path, told["claim"]) == [(saved["id"], grade)]

"""The web server from outside: who sends slowly, much or nothing keeps nobody else waiting."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from annotate.management import web_server
from tests import served

pytestmark = [*served.OWN_INSTALLATION, pytest.mark.xdist_group("serve")]

HALF_HEADER = b"GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\nX-Half: "
HALF_BODY = (
    b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Cookie: csrftoken=" + b"a" * 32 + b"\r\nContent-Length: 500\r\n\r\nusername="
)
HALF_FILE = (
    b"POST /api/v1/collections/here/judgments/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Authorization: Token " + b"a" * 64 + b'\r\nContent-Length: 1000000\r\n\r\n{"claim": '
)
FILL = """
from knox.models import AuthToken
from tests import factories
person = factories.make_user("ann")
factories.make_collection("here", by=person)
print(AuthToken.objects.create(user=person)[1])
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    served.migrate(folder)
    served.manage("collectstatic", "--no-input", env=served.environment(folder))
    return folder


@pytest.fixture(scope="module")
def running(installed):
    with served.running(served.environment(installed, WEB_CONCURRENCY="2")) as (process, address):
        served.wait_for(lambda: served.answers(address))
        yield process, address.removeprefix("http://").rstrip("/").rpartition(":")[2]


@contextmanager
def half_open(port, sent, number):
    with ExitStack() as stack:
        opened = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10)) for _ in range(number)]
        for one in opened:
            one.sendall(sent)
        yield opened


def seconds_to_answer(port):
    begun = time.monotonic()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/sign-in/", timeout=30) as answer:
        assert answer.status == 200
    return time.monotonic() - begun


@pytest.mark.parametrize("sent", [HALF_HEADER, HALF_BODY, HALF_FILE, b""], ids=["header", "body", "file", "nothing"])
def test_others_are_answered_within_a_second_beside_500_requests_that_are_half_sent(running, sent):
    _, port = running
    with half_open(port, sent, 500):
        assert max(seconds_to_answer(port) for _ in range(10)) < 1


def is_closed(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def test_more_connections_than_there_is_room_for_close_the_oldest_half_sent_ones_and_keep_nobody_out(running):
    _, port = running
    web_server.allow_connections()
    with half_open(port, HALF_HEADER, 2 * web_server.MOST_CONNECTIONS + 50) as opened:
        assert seconds_to_answer(port) < 5
        closed = [is_closed(one) for one in opened]
        assert sum(closed) >= 50
        assert not any(closed[1500:])


def refusal(port, head, sent):
    """The status of what is answered to a request of which no more than so much is ever sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(head.replace(b"\n", b"\r\n") + sent)
        with closing(http.client.HTTPResponse(connection)) as answer:
            answer.begin()
            return answer.status, answer.read().decode(), answer.getheader("Connection")


@pytest.mark.parametrize(
    ("head", "status", "said"),
    [
        (b"POST /sign-in/ HTTP/1.1\nHost: localhost\nContent-Length: 1048577\n\n", 413, "at most 1 MB"),
        (b"POST /c/here/imports/ HTTP/1.1\nHost: localhost\nContent-Length: 1048577\n\n", 401, "Sign in before"),
        (
            b"POST /c/here/imports/ HTTP/1.1\nHost: localhost\nCookie: sessionid=guessed\nContent-Length: 9000000\n\n",
            401,
            "Sign in before",
        ),
        (b"POST /sign-in/ HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked\n\n5\n", 411, "Content-Length"),
        (b"POST /nowhere/ HTTP/1.1\nHost: localhost\nContent-Length: 99999999\n\n", 404, ""),
    ],
)
def test_a_large_body_from_a_stranger_is_answered_before_it_is_received(running, head, status, said):
    got, text, connection = refusal(running[1], head, b"x" * 100)
    assert (got, connection) == (status, "close")
    assert said in text


def test_what_follows_a_refused_body_is_no_request(running):
    head = b"POST /sign-in/ HTTP/1.1\nHost: localhost\nContent-Length: 1048577\n\n"
    with socket.create_connection(("127.0.0.1", running[1]), timeout=10) as connection:
        connection.sendall(head.replace(b"\n", b"\r\n") + b"GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received = b"".join(iter(lambda: connection.recv(65536), b""))
    assert received.count(b"HTTP/1.1 ") == 1


def test_one_connection_carries_many_requests(running):
    with closing(http.client.HTTPConnection("127.0.0.1", int(running[1]), timeout=10)) as connection:
        connection.connect()
        first = connection.sock
        for _ in range(3):
            connection.request("GET", "/sign-in/")
            with connection.getresponse() as answer:
                assert answer.status == 200
                answer.read()
            assert connection.sock is first


def test_a_killed_web_process_leaves_the_other_answering_and_comes_back(running):
    process, port = running
    webs = {pid for pid, name in served.children(process.pid).items() if name.startswith("web server")}
    assert len(webs) == 2
    killed = min(webs)
    os.kill(killed, signal.SIGKILL)
    assert max(seconds_to_answer(port) for _ in range(10)) < 2
    served.wait_for(
        lambda: len([1 for name in served.children(process.pid).values() if name.startswith("web server")]) == 2
    )


@pytest.fixture
def alone(tmp_path):
    """A web server without anything beside it whose answers take a while."""
    script = (
        "import socket, sys, time\n"
        "from annotate.management import supervision, web_server\n"
        "def answer(environ, start):\n"
        "    if environ['PATH_INFO'] == '/large':\n"
        "        start('200 OK', [('Content-Length', str(200 << 20))])\n"
        "        return (b'x' * (1 << 20) for _ in range(200))\n"
        "    body = environ['wsgi.input'].read()\n"
        "    time.sleep(1.5)\n"
        "    start('200 OK', [('Content-Type', 'text/plain')])\n"
        "    return [b'x' * 100_000 + body for _ in range(20)]\n"
        "with supervision.watch_end_signals() as asked:\n"
        "    print('ready', flush=True)\n"
        "    web_server.serve(socket.socket(fileno=int(sys.argv[1])), answer, 4, asked)\n"
    )
    env = served.environment(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        command = [sys.executable, "-c", "import django; django.setup()\n" + script, str(listening.fileno())]
        with subprocess.Popen(
            command, env=env, cwd=served.ROOT, pass_fds=[listening.fileno()], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout and process.stdout.readline() == "ready\n"
            yield process, listening.getsockname()[1]
            process.kill()


def test_a_request_under_way_is_finished_after_sigterm_and_then_the_process_ends(alone):
    process, port = alone
    got = []

    def ask():
        request = urllib.request.Request(f"http://127.0.0.1:{port}/", data=b"y" * 200_000)
        with urllib.request.urlopen(request, timeout=30) as answer:
            got.append(len(answer.read()))

    with half_open(port, HALF_HEADER, 3):  # who sends half a request does not keep it from ending
        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(0.7)
        begun = time.monotonic()
        process.terminate()
        asking.join()
        assert process.wait(20) == 0
    assert got == [20 * 300_000]
    assert time.monotonic() - begun < web_server.GRACE_SECONDS


def test_a_file_of_many_megabytes_is_taken_whole_in_little_memory(installed, running):
    """And the memory of the process that takes it stays as it was."""
    process, port = running
    filled = served.manage("shell", "--no-imports", "-c", FILL, env=served.environment(installed))
    token = filled.stdout.split()[-1]
    before = most_memory(process.pid)
    line = json.dumps({"query_id": "q", "passage_id": "p", "text": "x" * 1000}).encode() + b"\n"
    body = line * (15 * 1024 * 1024 // len(line))
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/collections/here/predictions/",
        data=body,
        headers={"Authorization": f"Token {token}", "Content-Type": "text/plain"},
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    refused.value.close()
    assert refused.value.code == 415  # the view was reached: it was received, and its kind was looked at
    assert most_memory(process.pid) - before < 10_000


def most_memory(pid):
    """In KB, of the largest web process."""
    return max(memory(one) for one, name in served.children(pid).items() if name.startswith("web server"))


def memory(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def test_an_answer_that_is_not_fetched_waits_and_is_sent_in_constant_memory(alone):
    process, port = alone
    before = memory(process.pid)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/large", timeout=30) as answer:
        time.sleep(1)  # fetches nothing
        assert memory(process.pid) - before < 20_000
        assert sum(map(len, iter(lambda: answer.read(1 << 20), b""))) == 200 << 20
    assert memory(process.pid) - before < 20_000

"""Who judges in the benchmark: browsers without think time, one or many, and what a page costs over the wire."""

import gzip
import http.client
import os
import re
import shutil
import statistics
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from html import unescape
from http.cookies import SimpleCookie
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import sync_playwright

_IDLE_SECONDS = 1.0  # a proxy or server may end a connection that was silent for two
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]*)"')


class Answer(NamedTuple):
    """Seconds from the first byte sent to the last byte read; bytes as they came over the wire, with the headers."""

    status: int
    text: str
    seconds: float
    bytes: int


class Failed(Exception):
    """The server answered what it should not have."""


class Browser:
    """One person's, signed in after `sign_in`."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        self._host = place.netloc
        self._connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
        self.cookies: dict[str, str] = {}
        self._answered_at = 0.0

    def sign_in(self, name: str, password: str) -> None:
        page = self.get("/sign-in/")
        fields = {"csrfmiddlewaretoken": token(page.text), "username": name, "password": password}
        answer = self.post("/sign-in/", fields)
        if answer.status != 302:
            raise Failed(f"{name} could not sign in: {answer.status}")

    def get(self, path: str) -> Answer:
        return self._send("GET", path, None, {})

    def post(self, path: str, fields: dict[str, str], *, is_htmx: bool = False) -> Answer:
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{self._host}"}
        return self._send(
            "POST", path, urlencode(fields).encode(), headers | ({"HX-Request": "true"} if is_htmx else {})
        )

    def upload(self, path: str, fields: dict[str, str], name: str, content: bytes) -> Answer:
        boundary = uuid.uuid4().hex
        parts = [f'Content-Disposition: form-data; name="{key}"\r\n\r\n{value}' for key, value in fields.items()]
        last = f'Content-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'
        body = "".join(f"--{boundary}\r\n{part}\r\n" for part in parts).encode()
        body += f"--{boundary}\r\n{last}".encode() + content + f"\r\n--{boundary}--\r\n".encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Origin": f"http://{self._host}"}
        return self._send("POST", path, body, headers)

    def _send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        if time.monotonic() - self._answered_at > _IDLE_SECONDS:
            self._connection.close()  # the next request opens it anew
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        start = time.perf_counter()
        self._connection.request(
            method, path, body, {"Host": self._host, "Accept-Encoding": "gzip", "Cookie": cookies, **headers}
        )
        response = self._connection.getresponse()
        content = response.read()
        seconds = time.perf_counter() - start
        self._answered_at = time.monotonic()
        self._keep_cookies(response)
        size = len(content) + sum(len(key) + len(value) + 4 for key, value in response.getheaders())
        if response.getheader("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        return Answer(response.status, content.decode(errors="replace"), seconds, size)

    def _keep_cookies(self, response: http.client.HTTPResponse) -> None:
        for cookie in response.headers.get_all("Set-Cookie") or []:
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(cookie).items()}


def token(page: str) -> str:
    """Of the first form; all forms of a page have the same secret."""
    result = _TOKEN.search(page)
    if not result:
        raise Failed("there is no form on the page")
    return unescape(result[1])


_FORM = re.compile(r'<form id="judgment".*?</form>', re.DOTALL)
_SAVE = re.compile(r'hx-post="([^"]*)"')
_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


class Card(NamedTuple):
    """The form that stands before an assessor: where it is sent, and what goes with the grade."""

    address: str
    fields: dict[str, str]

    @property
    def is_reveal(self) -> bool:
        return "key" not in self.fields


class Judged(NamedTuple):
    """One request: the grade saved (or kept after a reveal) and what came next."""

    seconds: float
    bytes: int
    is_decision: bool = False


class Assessor:
    def __init__(self, browser: Browser, slug: str) -> None:
        self.browser = browser
        self._page = f"/c/{slug}/judge/"
        self.card: Card | None = None

    def open(self) -> Answer:
        """The judging page, cold."""
        answer = self.browser.get(self._page)
        self.card = card(_good(answer))
        return answer

    def judge(self, grade: int) -> Judged:
        """Grade the pair of the card, or keep this grade after a reveal; the answer brings the next card."""
        if self.card is None:
            raise Failed("there is nothing to judge")
        shown = self.card
        fields = {**shown.fields, "grade": str(grade), "visible_ms": "3000", "wall_ms": "3500"}
        answer = self.browser.post(shown.address, fields, is_htmx=True)
        self.card = card(_good(answer))
        return Judged(answer.seconds, answer.bytes, shown.is_reveal)


def card(html: str) -> Card | None:
    """The form on a page or in a fragment; None where nothing is left to judge."""
    form = _FORM.search(html)
    if not form:
        return None
    address = _SAVE.search(form[0])
    assert address, "the form is sent nowhere"
    return Card(unescape(address[1]), {name: unescape(value) for name, value in _HIDDEN.findall(form[0])})


def _good(answer: Answer) -> str:
    if answer.status != 200:
        raise Failed(f"{answer.status}: {' '.join(answer.text.split())[:200]}")
    return answer.text


class Load(NamedTuple):
    """What was judged in `seconds`, request by request, and the errors that people saw."""

    judged: list[Judged]
    errors: list[str]
    seconds: float

    @property
    def a_second(self) -> float:
        return len(self.judged) / self.seconds

    @property
    def median_ms(self) -> float:
        return statistics.median(self._taken()) * 1e3

    @property
    def p95_ms(self) -> float:
        return statistics.quantiles(self._taken(), n=20)[-1] * 1e3

    def _taken(self) -> list[float]:
        return [one.seconds for one in self.judged]


def in_turn(assessors: Sequence[Assessor], times: int) -> list[Load]:
    """Each judges so many times, one after the other, so that other load on the machine falls on all alike."""
    judged: list[list[Judged]] = [[] for _ in assessors]
    start = time.perf_counter()
    for number in range(times):
        for assessor, its in zip(assessors, judged, strict=True):
            its.append(assessor.judge(number % 4))
    return [Load(its, [], time.perf_counter() - start) for its in judged]


def at_once(assessors: Sequence[Assessor], goes_on: Callable[[int], bool]) -> Load:
    """Each in a thread of its own, as long as `goes_on` (given how often it has judged) and nothing fails."""
    judged, errors, gate = [], [], threading.Barrier(len(assessors) + 1)

    def work(assessor: Assessor) -> None:
        gate.wait()
        times = 0
        try:
            while goes_on(times):
                judged.append(assessor.judge(times % 4))
                times += 1
        except Exception as fault:
            errors.append(f"{type(fault).__name__}: {fault}")

    threads = [threading.Thread(target=work, args=[assessor]) for assessor in assessors]
    for thread in threads:
        thread.start()
    gate.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join()
    return Load(judged, errors, time.perf_counter() - start)


_NAMES = ("chromium", "chromium-browser", "google-chrome")


class Wire(NamedTuple):
    requests: int
    bytes: int


def cold(address: str, cookies: dict[str, str], path: str) -> Wire | None:
    """Requests and bytes (bodies as they came, compressed, with headers) until chromium asks for nothing more; None
    without a chromium."""
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        return None
    sizes: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(base_url=address)
        context.add_cookies([{"name": name, "value": value, "url": address} for name, value in cookies.items()])
        page = context.new_page()
        watched = context.new_cdp_session(page)
        watched.send("Network.enable")
        watched.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        page.goto(path, wait_until="networkidle")
        assert page.locator("#judgment").is_visible(), "the judging page did not open"
        browser.close()
    return Wire(len(sizes), int(sum(sizes)))

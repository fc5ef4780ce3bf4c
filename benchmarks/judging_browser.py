"""What a browser does between a person and the server: a kept connection, cookies, the token of a form."""

import gzip
import http.client
import re
import time
import uuid
from html import unescape
from http.cookies import SimpleCookie
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

_IDLE_SECONDS = 1.0  # gunicorn ends a connection that was silent for two
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
        said = {"csrfmiddlewaretoken": token(page.text), "username": name, "password": password}
        answer = self.post("/sign-in/", said)
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
        for said in response.headers.get_all("Set-Cookie") or []:
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(said).items()}


def token(page: str) -> str:
    """Of the first form; all forms of a page have the same secret."""
    found = _TOKEN.search(page)
    if not found:
        raise Failed("there is no form on the page")
    return unescape(found[1])

"""The web server: waitress, which receives each request whole before a thread works on it (docs/adr/0025)."""

import resource
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer

from annotate.web import access

# Of one process. One more closes the one that has been silent or half sent for longest, so that nobody can fill it.
MOST_CONNECTIONS = 1000
BACKLOG = 2048
GRACE_SECONDS = 10.0
HALF_SENT_SECONDS = 2.0
_LOOK_SECONDS = 0.5
_KEPT_IN_MEMORY = 64 * 1024  # of a body that comes in; the rest is in a file
_SENT_AHEAD = 1024 * 1024  # of an answer, before its view waits for the client


def serve(listening: socket.socket, application: Callable[..., Any], threads: int, until: Callable[[], bool]) -> None:
    """Answer requests on a socket that is bound already, until `until()`; then finish those that are under way."""
    # Threads that work and the one that receives take turns: at Python's 5 ms each byte would wait for a whole page.
    sys.setswitchinterval(0.0005)
    server = _Server(listening, application, threads)
    while not until():
        wasyncore.poll2(_LOOK_SECONDS, server.sockets)
    server.finish()


class _Parser(HTTPRequestParser):
    """Receives no large body from who may not send it: the application refuses it by its headers alone."""

    path: str
    headers: dict[str, str]

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        is_large = self.content_length > access.LIMIT
        if self.chunked or (is_large and not access.may_send(self.path, self.content_length, self.headers)):
            self.headers |= {access.UNREAD: "True", "CONNECTION": "close"}
            self.headers |= {"TRANSFER_ENCODING": "chunked"} if self.chunked else {}
            self.chunked, self.content_length, self.body_rcv = False, 0, None
            self.connection_close, self.expect_continue = True, False


class _Channel(HTTPChannel):
    parser_class = _Parser

    @property
    def is_working(self) -> bool:
        """Whether a request has come whole and its answer has not gone yet."""
        return bool(self.requests or self.total_outbufs_len)


class _Server(TcpWSGIServer):
    channel_class = _Channel

    def __init__(self, listening: socket.socket, application: Callable[..., Any], threads: int) -> None:
        adjustments = Adjustments(
            sockets=[listening],
            threads=threads,
            ident=None,
            backlog=BACKLOG,
            connection_limit=2 * MOST_CONNECTIONS,
            inbuf_overflow=_KEPT_IN_MEMORY,
            outbuf_overflow=_SENT_AHEAD,
            outbuf_high_watermark=_SENT_AHEAD,
            max_request_header_size=64 * 1024,
            max_request_body_size=1 << 50,  # the application has limits of its own
            clear_untrusted_proxy_headers=False,  # the application knows which to believe
            log_socket_errors=False,
        )
        self.sockets: dict[int, Any] = {}
        place = (listening.family, listening.type, listening.proto, listening.getsockname())
        super().__init__(application, self.sockets, _sock=listening, adj=adjustments, sockinfo=place, bind_socket=False)

    def handle_accept(self) -> None:
        if len(self.sockets) >= MOST_CONNECTIONS:
            self._close_the_oldest_idle()
        super().handle_accept()

    @property
    def channels(self) -> list[_Channel]:
        return [one for one in self.sockets.values() if isinstance(one, _Channel)]

    def _close_the_oldest_idle(self) -> None:
        idle = [channel for channel in self.channels if not channel.is_working]
        if idle:
            min(idle, key=lambda channel: channel.creation_time).handle_close()

    def finish(self) -> None:
        """Take no more connections, and answer what has come."""
        self.accepting = False
        self.del_channel()
        if self.socket:
            self.socket.close()
        now = time.monotonic()
        while (waited := time.monotonic() - now) < GRACE_SECONDS and self._is_needed(waited):
            wasyncore.poll2(0.1, self.sockets)

    def _is_needed(self, waited: float) -> bool:
        is_coming = waited < HALF_SENT_SECONDS and any(channel.request is not None for channel in self.channels)
        return is_coming or any(channel.is_working for channel in self.channels)


def allow_connections() -> None:
    """As many open files as so many connections need, with one each for a large body."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 4 * MOST_CONNECTIONS
    if soft != resource.RLIM_INFINITY and soft < needed:
        most = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))

"""What calls to one endpoint share: limits that hold over all batches and processes, and the beginning of prompts that
a service keeps once it has answered one.
"""

import asyncio
import fcntl
import hashlib
import os
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from annotate.formats import whole_files
from annotate.llm.capabilities import Capabilities, is_cacheable
from annotate.llm.messages import Reply, Request

if TYPE_CHECKING:
    from annotate.llm.capabilities import Capabilities
    from annotate.llm.messages import Reply, Request
    from annotate.llm.providers import Client


_LOOK_SECONDS = 0.02
_FARTHEST_SECONDS = 600.0  # a start that is farther away was written by a clock that was wrong


class SharedLimits:
    """`concurrency`: calls under way at once; `per_minute`: calls that may start in a minute; 0 for no limit."""

    def __init__(self, folder: Path, concurrency: int, per_minute: int) -> None:
        whole_files.make_folder(folder)
        self._places = [_open(folder / f"place-{number}") for number in range(concurrency)]
        self._pace = _open(folder / "pace") if per_minute else None
        self._gap = 60.0 / per_minute if per_minute else 0.0
        self._mine: set[int] = set()
        self._turn = asyncio.Lock()  # one of us at a time looks for a place

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait until one more call may be under way."""
        async with self._turn:
            taken = await self._take_place() if self._places else None
            if self._pace is not None:
                await self._wait_for_start(self._pace)
        try:
            yield
        finally:
            if taken is not None:
                fcntl.flock(taken, fcntl.LOCK_UN)
                self._mine.discard(taken)

    async def _take_place(self) -> int:
        while True:
            for place in self._places:
                if place not in self._mine and _try_lock(place):
                    self._mine.add(place)
                    return place
            await asyncio.sleep(_LOOK_SECONDS * random.uniform(0.5, 1.5))

    async def _wait_for_start(self, pace: int) -> None:
        """The file says until when the next start has to wait; whoever reads it writes down when the one after may."""
        fcntl.flock(pace, fcntl.LOCK_EX)
        try:
            now = time.time()
            start = _read_start(pace)
            if not now <= start <= now + _FARTHEST_SECONDS:
                start = now
            os.pwrite(pace, f"{start + self._gap:031.6f}\n".encode(), 0)
        finally:
            fcntl.flock(pace, fcntl.LOCK_UN)
        await asyncio.sleep(start - now)

    def close(self) -> None:
        for opened in (*self._places, *([] if self._pace is None else [self._pace])):
            os.close(opened)


def _read_start(pace: int) -> float:
    try:
        return float(os.pread(pace, 32, 0))
    except ValueError:  # it is new, or a loss of power left it empty
        return 0.0


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _try_lock(place: int) -> bool:
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class LimitedClient:
    """A client whose calls hold to the limits of its endpoint."""

    def __init__(self, client: "Client", limits: SharedLimits) -> None:
        self._client, self._limits = client, limits

    async def answer(self, request: "Request", capabilities: "Capabilities") -> "Reply":
        async with self._limits.place():
            return await self._client.answer(request, capabilities)

    async def list_capabilities(self, model: str, known: "Capabilities") -> "Capabilities":
        return await self._client.list_capabilities(model, known)

    async def close(self) -> None:
        self._limits.close()
        await self._client.close()


PATIENCE = 10.0  # seconds after which a first call that fails makes no other one wait


class WarmingClient:
    """A client whose calls wait while the first one with the same beginning is under way, where the model keeps a
    beginning of that length. After a first call that fails soon the next one is the first; one that fails late shows
    that the service is slow or away, and all others are made."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._first: dict[bytes, asyncio.Event] = {}

    async def answer(self, request: Request, capabilities: Capabilities) -> Reply:
        if not is_cacheable(request, capabilities):
            return await self._client.answer(request, capabilities)
        beginning = hashlib.sha256(request.fixed.encode()).digest()
        while earlier := self._first.get(beginning):
            if earlier.is_set():
                return await self._client.answer(request, capabilities)
            await earlier.wait()
        answered = self._first[beginning] = asyncio.Event()
        began = time.monotonic()
        try:
            reply = await self._client.answer(request, capabilities)
        except BaseException:
            if time.monotonic() - began < PATIENCE:
                del self._first[beginning]
            raise
        finally:
            answered.set()
        return reply

    async def list_capabilities(self, model: str, known: Capabilities) -> Capabilities:
        return await self._client.list_capabilities(model, known)

    async def close(self) -> None:
        await self._client.close()

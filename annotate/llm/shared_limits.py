"""Limits that hold for all batches that ask one endpoint, whichever processes of this machine run them.

A call holds a lock on one of so many files while it is under way; the system takes the lock back from a process that is
killed. A file beside them says when the next call may start.
"""

import asyncio
import fcntl
import os
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from annotate.formats import whole_files

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

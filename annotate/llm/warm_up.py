"""One call before the others: a service keeps the beginning that prompts share once it has answered one."""

import asyncio
import hashlib
import time
from typing import TYPE_CHECKING

from annotate.llm.capabilities import Capabilities, is_cacheable
from annotate.llm.messages import Reply, Request

if TYPE_CHECKING:
    from annotate.llm.providers import Client


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

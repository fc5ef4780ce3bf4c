"""One call before the others: a service keeps the beginning that prompts share once it has answered one."""

import asyncio
import hashlib
from typing import TYPE_CHECKING

from annotate.llm.capabilities import Capabilities, is_cacheable
from annotate.llm.messages import Reply, Request

if TYPE_CHECKING:
    from annotate.llm.providers import Client


class WarmingClient:
    """A client whose calls wait while the first one with the same beginning is under way, where the model keeps a
    beginning of that length. A first call that fails lets the next one be the first."""

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
        try:
            reply = await self._client.answer(request, capabilities)
        except BaseException:
            del self._first[beginning]
            raise
        finally:
            answered.set()
        return reply

    async def list_capabilities(self, model: str, known: Capabilities) -> Capabilities:
        return await self._client.list_capabilities(model, known)

    async def close(self) -> None:
        await self._client.close()

"""What every service must do. Each is checked by the same assertions, over real HTTP."""

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Protocol

from annotate.llm.faults import Fault
from annotate.llm.messages import Reply, Request


class Provider(Protocol):
    """A service that answers one request at a time, many of them side by side."""

    name: str

    async def ask(self, request: Request) -> Reply:
        """One attempt. Raises a `faults.Fault`: the caller decides whether to ask again."""

    async def close(self) -> None:
        """Give the connections back."""


@dataclass(frozen=True)
class BatchState:
    """`is_over`: all its results can be fetched."""

    is_over: bool
    waiting: int
    succeeded: int
    errored: int


class Batching(Protocol):
    """A service that takes many requests at once and answers within a day, at a lower price."""

    async def submit(self, requests: Iterable[tuple[str, Request]]) -> str:
        """Hand in requests, each under an id of ours; returns the service's id of the batch. Raises a Fault."""

    async def look(self, batch_id: str) -> BatchState:
        """How far a batch is. Raises a Fault."""

    async def cancel(self, batch_id: str) -> None:
        """Ask for no more answers; what was answered can still be fetched. Raises a Fault."""

    async def close(self) -> None:
        """Give the connections back."""

    def results(self, batch_id: str) -> AsyncIterator[tuple[str, Reply | Fault]]:
        """Each of our ids with its reply, or with the fault that says whether to hand it in again."""

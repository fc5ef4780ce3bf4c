"""What every service of models must do, and the services by name."""

import importlib.util
import os
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from annotate.llm import service_faults
from annotate.llm.messages import Reply, Request
from annotate.llm.service_faults import Fault


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


ANTHROPIC = "anthropic"
OPENAI = "openai"
NAMES = (ANTHROPIC, OPENAI)


def missing_setup(name: str, environment: Mapping[str, str] = os.environ) -> str:
    """What a person has to do before the service can be used, in a sentence; empty where nothing is missing."""
    if name == ANTHROPIC:
        if not environment.get("ANTHROPIC_API_KEY"):
            return "Set ANTHROPIC_API_KEY in the environment of the server and of the worker."
        return service_faults.find_key_flaw("ANTHROPIC_API_KEY", environment) or _flaw_of_address(
            "ANTHROPIC_BASE_URL", environment
        )
    if name == OPENAI:
        if importlib.util.find_spec("openai") is None:
            return "Install the extra: pip install openai."
        if not environment.get("OPENAI_API_KEY"):
            return (
                "Set OPENAI_API_KEY in the environment of the server and of the worker, and OPENAI_BASE_URL for "
                "another server than OpenAI's; a local server takes any key."
            )
        return service_faults.find_key_flaw("OPENAI_API_KEY", environment) or _flaw_of_address(
            "OPENAI_BASE_URL", environment
        )
    raise KeyError(name)


def _flaw_of_address(name: str, environment: Mapping[str, str]) -> str:
    is_address = environment.get(name, "http://").startswith(("http://", "https://"))
    return "" if is_address else f"{name} has to begin with http:// or https://."


def open_provider(name: str) -> Provider:
    """A client of the service. Its SDK is imported here: each costs a second."""
    if name == ANTHROPIC:
        from annotate.llm.anthropic_messages import AnthropicMessages

        return AnthropicMessages()
    if name == OPENAI:
        from annotate.llm.openai_chat import OpenAIChat

        return OpenAIChat()
    raise KeyError(name)


def open_batching(name: str) -> Batching | None:
    """A client for large batches, where the service has them."""
    if name != ANTHROPIC:
        return None
    from annotate.llm.anthropic_messages import AnthropicMessages

    return AnthropicMessages()

"""What a provider of language models is: its name, where it is reached, what its models can do and cost, its clients.

Values in, values out: clients know no rows, and raise `service_faults.Fault`. Each is checked by the same assertions,
over real HTTP.
"""

import importlib.util
import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from annotate.llm import service_faults
from annotate.llm.capabilities import Capabilities
from annotate.llm.messages import Reply, Request
from annotate.llm.prices import PriceTable
from annotate.llm.service_faults import Fault


class Client(Protocol):
    """Answers one request at a time, many of them side by side."""

    async def answer(self, request: Request, capabilities: Capabilities) -> Reply:
        """One attempt, put as a model of these capabilities takes it. Raises a Fault: the caller decides whether to ask
        again."""

    async def list_capabilities(self, model: str, known: Capabilities) -> Capabilities:
        """What the service itself says of a model, over what is known of it; `known` where it says nothing."""

    async def close(self) -> None:
        """Give the connections back."""


@dataclass(frozen=True)
class BatchState:
    """`is_over`: all its results can be fetched."""

    is_over: bool
    waiting: int
    succeeded: int
    errored: int


class BatchClient(Protocol):
    """Takes many requests at once and answers within a day, at a lower price."""

    async def submit(self, requests: Iterable[tuple[str, Request]], capabilities: Capabilities) -> str:
        """Hand in requests, each under an id of ours; returns the service's id of the batch. Raises a Fault."""

    async def look(self, batch_id: str) -> BatchState:
        """How far a batch is. Raises a Fault."""

    async def cancel(self, batch_id: str) -> None:
        """Ask for no more answers; what was answered can still be fetched. Raises a Fault."""

    async def close(self) -> None:
        """Give the connections back."""

    def results(self, batch_id: str) -> AsyncIterator[tuple[str, Reply | Fault]]:
        """Each of our ids with its reply, or with the fault that says whether to hand it in again."""


@dataclass(frozen=True)
class Endpoint:
    """Where a provider is reached: the environment variables of its key and of another address than its own.

    `hint` ends the sentence that asks for the key. `needs_key_elsewhere`: whether a server at another address takes no
    call without a key either; servers at home do.
    """

    key: str
    address: str
    hint: str = ""
    timeout: float = 120.0
    needs_key_elsewhere: bool = True

    def __post_init__(self) -> None:
        if not service_faults.is_secret(self.key):
            raise ValueError(f"{self.key} ends in none of {service_faults.SECRET_ENDINGS}: no message would hide it")

    def missing_setup(self, environment: Mapping[str, str]) -> str:
        """What is to be set, or wrong with what is set, in a sentence; empty where nothing is."""
        is_free = not self.needs_key_elsewhere and bool(environment.get(self.address))
        if not environment.get(self.key) and not is_free:
            return f"Set {self.key} in the environment of the server and of the worker{self.hint}."
        if flaw := service_faults.find_key_flaw(self.key, environment):
            return flaw
        is_address = environment.get(self.address, "http://").startswith(("http://", "https://"))
        return "" if is_address else f"{self.address} has to begin with http:// or https://."


@dataclass(frozen=True)
class Provider:
    """`name` is what commands call it and batches keep, `label` what pages show; `sdk` is the package that its clients
    import, where they need one."""

    name: str
    label: str
    endpoint: Endpoint
    prices: PriceTable
    client: Callable[[Endpoint], Client]
    sdk: str = ""
    batch_client: Callable[[Endpoint], BatchClient] | None = None
    capabilities: Callable[[str], Capabilities] = lambda model: Capabilities()

    @property
    def has_batches(self) -> bool:
        return self.batch_client is not None

    def missing_setup(self, environment: Mapping[str, str] = os.environ) -> str:
        """What a person has to do before the provider can be used, in a sentence; empty where nothing is missing."""
        if self.sdk and importlib.util.find_spec(self.sdk) is None:
            return f"Install the extra: pip install {self.sdk}."
        return self.endpoint.missing_setup(environment)

    def open_client(self, timeout: int = 0) -> Client:
        """For a batch's whole life. `timeout`: seconds that a call may take, 0 for the usual."""
        return self.client(replace(self.endpoint, timeout=timeout) if timeout else self.endpoint)

    def open_batch_client(self) -> BatchClient:
        """Of a provider that has batches."""
        assert self.batch_client is not None
        return self.batch_client(self.endpoint)

"""What a provider of language models is, what can go wrong between it and us, and which ones there are.

Every file of this folder that has a `PROVIDER` is one and is found by itself. Pages and commands offer what is listed
here, so adding a provider is adding its file. An SDK costs a second to import: the files import theirs where a client
is opened.
"""

import importlib
import importlib.util
import os
import pkgutil
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Protocol

from annotate.llm.capabilities import Capabilities, Price, PriceTable, find_refused
from annotate.llm.messages import Reply, Request


class Fault(Exception):
    """A request that got no reply. `cause` is a few plain words for counting; the message is for people."""

    def __init__(self, cause: str, message: str = "") -> None:
        super().__init__(message or cause)
        self.cause = cause


class Passing(Fault):
    """Worth another attempt: rate limits, overload, lost connections, an answer that broke off.

    `after`: the seconds that the service asks for.
    """

    def __init__(self, cause: str, message: str = "", after: float | None = None) -> None:
        super().__init__(cause, message)
        self.after = after


class Filtered(Fault):
    """The service's filter kept this request from the model; asking again is of no use."""


class Rejected(Fault):
    """The service cannot take this one request, now or later (too long, malformed)."""


class Unsupported(Rejected):
    """The service refuses a parameter, whose name as it was sent is `parameter`; without it the call may work."""

    def __init__(self, parameter: str, message: str) -> None:
        super().__init__(f"{parameter} not supported", message)
        self.parameter = parameter


class Closed(Fault):
    """The service takes nothing from us: no key, wrong key, no such model, spending limit. The batch stops here."""


# Databases refuse them; a model's JSON can hold them, half an emoji for instance.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# Servers at home take any word as a key; a short one is no secret, and stands in many texts.
_LEAST_SIGNS = 8
SECRET_ENDINGS = ("_API_KEY", "_AUTH_TOKEN", "_ACCESS_KEY")


def is_secret(name: str) -> bool:
    """Whether a variable of the environment holds a key, by its name."""
    return name.endswith(SECRET_ENDINGS)


def find_key_flaw(name: str, environment: Mapping[str, str] = os.environ) -> str:
    """What is wrong with the key in a variable, in a sentence without it; empty where nothing is, or none is set.

    >>> find_key_flaw("OPENAI_API_KEY", {"OPENAI_API_KEY": "sk-a\\n"})
    'OPENAI_API_KEY holds white space or signs that no key has (a line break at its end, perhaps): set it anew.'
    """
    key = environment.get(name, "")
    if all("!" <= sign <= "~" for sign in key):
        return ""
    return f"{name} holds white space or signs that no key has (a line break at its end, perhaps): set it anew."


def remove_keys(text: str, environment: Mapping[str, str] = os.environ) -> str:
    """The text with every key that is set taken out: some servers repeat the key that they refuse.

    >>> remove_keys("no such key: sk-a1b2c3", {"OPENAI_API_KEY": "sk-a1b2c3"})
    'no such key: [key]'
    """
    for name, key in environment.items():
        if is_secret(name) and len(key) >= _LEAST_SIGNS:
            text = text.replace(key, "[key]")
    return text


def storable(text: str) -> str:
    """A service's words without a key of ours in them, and with signs replaced that no database takes."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", remove_keys(text))


_CAUSES = {408: "timeout", 409: "conflict", 425: "too early", 429: "rate limit", 529: "overloaded"}
_FILTER_WORDS = ("content_filter", "content filter", "content_policy", "responsibleaipolicy")
# Services say with different numbers that nothing is paid any more: waiting does not mend it.
_SPENT_WORDS = ("insufficient_quota", "credit balance is too low", "billing_hard_limit")
LONGEST_WAIT = 600.0
MOST_IN_MESSAGE = 300


def fault_of_status(
    status: int, headers: Mapping[str, str], body: object, message: str, sent: frozenset[str] = frozenset()
) -> Fault:
    """What an answer other than 200 means. Its message may be shown and stored: the key is taken out of it, and what is
    said of a key that is refused, which may repeat parts of it, is not told at all. `sent`: the parameters that the
    service may have refused."""
    if status in (400, 403, 422) and (parameter := find_refused(message, _named_parameter(body), sent)):
        return Unsupported(parameter, remove_keys(message)[:MOST_IN_MESSAGE])
    if status in (401, 403):
        return Closed(f"refused with {status}", f"the key is not accepted ({status})")
    message, answer = remove_keys(message)[:MOST_IN_MESSAGE], str(body).lower()
    if status in (400, 402, 429) and any(word in answer for word in _SPENT_WORDS):
        return Closed("nothing left to spend", message)
    if status in _CAUSES or status >= 500:
        return Passing(_CAUSES.get(status, f"server fault {status}"), message, read_retry_after(headers))
    if status in (400, 422) and any(word in answer for word in _FILTER_WORDS):
        return Filtered("content filter", message)
    if status in (400, 413, 422):
        return Rejected("request too large" if status == 413 else "request not accepted", message)
    return Closed(f"refused with {status}", message)


def _named_parameter(body: object) -> str:
    """The field of an answer's body in which some services name the parameter that they refuse."""
    error = body.get("error", body) if isinstance(body, Mapping) else None
    parameter = error.get("param") if isinstance(error, Mapping) else None
    return parameter if isinstance(parameter, str) else ""


def read_retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that `retry-after` asks for (RFC 9110: a number or a date), at most ten minutes; None where unreadable.

    >>> read_retry_after({"retry-after": "3"}), read_retry_after({"retry-after": "soon"})
    (3.0, None)
    """
    header = headers.get("retry-after", "").strip()
    try:
        seconds = float(header)
    except ValueError:
        try:
            at = parsedate_to_datetime(header)
        except ValueError:
            return None
        seconds = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - (now or datetime.now(UTC))).total_seconds()
    return min(LONGEST_WAIT, max(0.0, seconds)) if seconds == seconds else None


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
        if not is_secret(self.key):
            raise ValueError(f"{self.key} ends in none of {SECRET_ENDINGS}: no message would hide it")

    def missing_setup(self, environment: Mapping[str, str]) -> str:
        """What is to be set, or wrong with what is set, in a sentence; empty where nothing is."""
        is_free = not self.needs_key_elsewhere and bool(environment.get(self.address))
        if not environment.get(self.key) and not is_free:
            return f"Set {self.key} in the environment of the server and of the worker{self.hint}."
        if flaw := find_key_flaw(self.key, environment):
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


DEFAULT = "anthropic"


@cache
def installed() -> Mapping[str, Provider]:
    """All providers by name, in the order of the names."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    providers: list[Provider] = [module.PROVIDER for module in modules if hasattr(module, "PROVIDER")]
    return {provider.name: provider for provider in sorted(providers, key=lambda provider: provider.name)}


def find_provider(name: str) -> Provider:
    """Raises KeyError for a name that no provider has."""
    return installed()[name]


def list_names() -> list[str]:
    return list(installed())


def list_choices() -> list[tuple[str, str]]:
    """Name and label of each, for a form."""
    return [(provider.name, provider.label) for provider in installed().values()]


def missing_setups() -> dict[str, str]:
    """By name what a person has to do before the provider can be used; empty where nothing is missing."""
    return {name: provider.missing_setup() for name, provider in installed().items()}


def find_prices(name: str, model: str) -> PriceTable:
    """The provider's own table, or another's where that alone has the model: a server may pass on what others serve."""
    own = find_provider(name).prices
    tables = [own, *(provider.prices for provider in installed().values())]
    return next((table for table in tables if table.find_price(model)), own)


def find_price(name: str, model: str) -> Price | None:
    """None where no table has it."""
    return find_prices(name, model).find_price(model)

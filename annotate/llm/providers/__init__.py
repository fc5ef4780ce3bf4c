"""What a provider of language models is, what can go wrong between it and us, and which ones there are.

Every file of this folder that has a `PROVIDER` is one and is found by itself. Pages and commands offer what is listed
here, so adding a provider is adding its file. Beside them stand the endpoints that the installation names: each is a
provider of one of the `kinds`, at an address of its own. An SDK costs a second to import: the files import theirs
where a client is opened.
"""

import importlib
import os
import pkgutil
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, Protocol

from annotate.llm import endpoints
from annotate.llm.capabilities import Capabilities, Price, PriceTable, find_refused
from annotate.llm.endpoints import SECRET_ENDINGS, Endpoint, NamedEndpoint, is_installed, is_secret, remove_keys
from annotate.llm.messages import Reply, Request
from annotate.llm.shared_limits import LimitedClient, SharedLimits, WarmingClient


class Fault(Exception):
    """A request that got no reply. `cause` is a few plain words for counting; the message is for people.

    `may_be_billed`: it was sent, and the service may have answered it without the answer coming here.
    """

    may_be_billed = False

    def __init__(self, cause: str, message: str = "") -> None:
        super().__init__(message or cause)
        self.cause = cause


class Passing(Fault):
    """Worth another attempt: rate limits, overload, lost connections, an answer that broke off.

    `after`: the seconds that the service asks for.
    """

    def __init__(
        self, cause: str, message: str = "", after: float | None = None, *, may_be_billed: bool = False
    ) -> None:
        super().__init__(cause, message)
        self.after = after
        self.may_be_billed = may_be_billed


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


class Missing(Closed):
    """The service knows nothing by that name. Of one of its own batches it says so now and then for a moment."""


# Databases refuse them; a model's JSON can hold them, half an emoji for instance.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable(text: str) -> str:
    """A service's words without a key of ours in them, and with signs replaced that no database takes."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", remove_keys(text))


_CAUSES = {408: "timeout", 409: "conflict", 425: "too early", 429: "rate limit", 529: "overloaded"}
# Said by what stands in front of a service that was still at work, which services bill.
_MAY_BE_BILLED = {408, 502, 504, *range(520, 528)}
# What an HTTP library says of a call that never left.
_NOT_SENT = ("ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "LocalProtocolError")
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
        cause, after = _CAUSES.get(status, f"server fault {status}"), read_retry_after(headers)
        return Passing(cause, message, after, may_be_billed=status in _MAY_BE_BILLED)
    if status in (400, 422) and any(word in answer for word in _FILTER_WORDS):
        return Filtered("content filter", message)
    if status in (400, 413, 422):
        return Rejected("request too large" if status == 413 else "request not accepted", message)
    return (Missing if status == 404 else Closed)(f"refused with {status}", message)


def fault_of_connection(cause: str, error: Exception) -> Passing:
    """What an SDK's fault without an answer means, by the HTTP library's fault behind it: only a call that found no
    connection was never sent."""
    behind = error.__cause__
    is_sent = type(behind).__name__ not in _NOT_SENT
    return Passing(cause, remove_keys(str(behind or ""))[:MOST_IN_MESSAGE], may_be_billed=is_sent)


def broken_answer(message: str = "") -> Passing:
    """An answer that came, and cannot be read."""
    return Passing("broken answer", message, may_be_billed=True)


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
    """`is_over`: all its results can be fetched. `fault`: why the service did not begin it, for each of its
    requests."""

    is_over: bool
    waiting: int
    succeeded: int
    errored: int
    fault: Fault | None = None


@dataclass(frozen=True)
class ListedBatch:
    """In the service's list. `token` is what was noted on it when it was handed in, empty where nothing was; None where
    the service notes nothing."""

    id: str
    requests: int
    is_over: bool
    token: str | None = None


class BatchClient(Protocol):
    """Takes many requests at once and answers within a day, at a lower price."""

    async def submit(self, requests: Iterable[tuple[str, Request]], capabilities: Capabilities, token: str) -> str:
        """Hand in requests, each under an id of ours that ends with the token; returns the service's id of the batch.
        The token is noted on the batch where the service has a place for it. Raises a Fault."""

    async def list_batches(self, since: datetime) -> list[ListedBatch]:
        """The batches that the service has taken since. Raises a Fault."""

    async def look(self, batch_id: str) -> BatchState:
        """How far a batch is. Raises a Fault."""

    async def cancel(self, batch_id: str) -> None:
        """Ask for no more answers; what was answered can still be fetched. Raises a Fault."""

    async def close(self) -> None:
        """Give the connections back."""

    def results(self, batch_id: str) -> AsyncIterator[tuple[str, Reply | Fault]]:
        """Each of our ids with its reply, or with the fault that says whether to hand it in again. A blank or broken
        line is passed over. Raises a Fault."""


@dataclass(frozen=True)
class Provider:
    """`name` is what commands call it and batches keep, `label` what pages show; `sdk` is the package that its clients
    import, where they need one. `needs`: what an endpoint of this kind has to say in the file. `has_own_prices`: it may
    cost something else than the table of another provider says of the model. `limits`: calls under way at once and
    calls a minute, over all batches; 0 for no limit."""

    name: str
    label: str
    endpoint: Endpoint
    prices: PriceTable
    client: Callable[[Endpoint], Client]
    sdk: str = ""
    batch_client: Callable[[Endpoint], BatchClient] | None = None
    capabilities: Callable[[str], Capabilities] = lambda model: Capabilities()
    needs: tuple[str, ...] = ()
    has_own_prices: bool = False
    limits: tuple[int, int] = (0, 0)

    @property
    def has_batches(self) -> bool:
        return self.batch_client is not None

    def missing_setup(self, environment: Mapping[str, str] = os.environ) -> str:
        """What a person has to do before the provider can be used, in a sentence; empty where nothing is missing."""
        if self.sdk and not is_installed(self.sdk):
            return f"Install the extra: pip install {self.sdk}."
        return self.endpoint.missing_setup(environment)

    def open_client(self, timeout: int = 0) -> Client:
        """For a batch's whole life. `timeout`: seconds that a call may take, 0 for the usual."""
        client = self.client(replace(self.endpoint, timeout=timeout) if timeout else self.endpoint)
        if any(self.limits):
            client = LimitedClient(client, SharedLimits(endpoints.FOLDER / "limits" / self.name, *self.limits))
        return WarmingClient(client)

    def open_batch_client(self) -> BatchClient:
        """Of a provider that has batches."""
        assert self.batch_client is not None
        return self.batch_client(self.endpoint)


DEFAULT = "anthropic"
_NOT_NAMES = ("learned", "calibrated", "imported", "uploaded")  # whose grades these are, raters say


@cache
def installed() -> Mapping[str, Provider]:
    """All providers by name, in the order of the names."""
    return {module.PROVIDER.name: module.PROVIDER for module in _modules()}


@cache
def kinds() -> Mapping[str, Provider]:
    """What an endpoint of the installation can be: a server of a provider's form, or a cloud that its SDK knows."""
    clouds: list[Provider] = [kind for module in _modules() for kind in getattr(module, "CLOUDS", ())]
    return {**installed(), **{kind.name: kind for kind in clouds}}


@cache
def _modules() -> tuple[Any, ...]:
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return tuple(sorted((one for one in modules if hasattr(one, "PROVIDER")), key=lambda one: str(one.PROVIDER.name)))


def _named() -> Mapping[str, Provider]:
    """The endpoints of the installation as providers."""
    named = endpoints.read_endpoints(_find_flaw).named
    return {name: _make_provider(name, endpoint) for name, endpoint in named.items()}


def _find_flaw(name: str, endpoint: NamedEndpoint) -> str:
    if name in kinds() or name.startswith(_NOT_NAMES):
        return "this name is taken: give it another one"
    if endpoint.kind not in kinds():
        return f"kind: {endpoint.kind[:60]} is none of {', '.join(kinds())}"
    if missing := [field for field in kinds()[endpoint.kind].needs if not getattr(endpoint, field)]:
        return f"an endpoint of the kind {endpoint.kind} needs {' and '.join(missing)}"
    if endpoint.key and not is_secret(endpoint.key):
        return f"key: name a variable that ends in {', '.join(SECRET_ENDINGS)}, so that messages hide what it holds"
    return ""


def _make_provider(name: str, said: NamedEndpoint) -> Provider:
    """A server at an address of its own needs the key that the file names, and none where it names none."""
    kind = kinds()[said.kind]
    key = said.key or ("" if said.base_url and not kind.has_own_prices else kind.endpoint.key)
    where = f" at {said.base_url}" if said.base_url else f" in {said.region}" if said.region else ""
    return replace(
        kind,
        name=name,
        label=said.label or f"{name}: {kind.label}{where}"[:200],
        endpoint=replace(
            kind.endpoint,
            key=key,
            hint=kind.endpoint.hint if kind.has_own_prices else "",
            timeout=said.timeout,
            needs_key_elsewhere=bool(said.key) or kind.endpoint.needs_key_elsewhere,
            url=said.base_url,
            region=said.region,
            project=said.project,
            api_version=said.api_version,
        ),
        prices=_table(said, kind),
        limits=(said.concurrency, said.per_minute),
    )


def _table(said: NamedEndpoint, kind: Provider) -> PriceTable:
    """What the file says stands before what the provider's own table does."""
    if said.price is None and not said.prices:
        return kind.prices
    rows = {model: Price(**rates.model_dump()) for model, rates in said.prices.items()}
    every = Price(**said.price.model_dump()) if said.price else None
    return PriceTable(str(said.as_of), {}, own=rows, every=every)


def _offered() -> Mapping[str, Provider]:
    return {**installed(), **_named()}


def find_provider(name: str) -> Provider:
    """Raises KeyError for a name that no provider has."""
    return installed().get(name) or _named()[name]


def explain_absence(name: str) -> str:
    """Why there is no provider of this name, in a sentence; empty where there is one."""
    offered = _offered()
    why = find_flaw() or f"there are {', '.join(offered)}."
    return "" if name in offered else f"There is no service {name}: {why}"


def find_missing_setup(name: str) -> str:
    """What a person has to do before the provider of this name can be used, in a sentence; empty where nothing is."""
    return explain_absence(name) or find_provider(name).missing_setup()


def find_flaw() -> str:
    """What is wrong with the file of endpoints, in a sentence; empty where nothing is."""
    return endpoints.read_endpoints(_find_flaw).flaw


def list_names() -> list[str]:
    return list(_offered())


def list_choices() -> list[tuple[str, str]]:
    """Name and label of each, for a form."""
    return [(provider.name, provider.label) for provider in _offered().values()]


def missing_setups() -> dict[str, str]:
    """By name what a person has to do before the provider can be used; empty where nothing is missing."""
    missing = {name: provider.missing_setup() for name, provider in _offered().items()}
    return {**missing, "An endpoint of yours": find_flaw()}


def find_prices(name: str, model: str) -> PriceTable:
    """The provider's own table, or another's where that alone has the model: a server may pass on what others serve."""
    own = find_provider(name)
    others = [] if own.has_own_prices else [provider.prices for provider in installed().values()]
    return next((table for table in [own.prices, *others] if table.find_price(model)), own.prices)


def find_price(name: str, model: str) -> Price | None:
    """None where no table has it."""
    return find_prices(name, model).find_price(model)

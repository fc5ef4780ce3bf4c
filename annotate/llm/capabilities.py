"""What a model can do, from tables, the service and what it refused; what a call holds, and what it costs."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple

from annotate.llm.messages import Request, Tokens

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
"""Levels of reasoning effort, over all services, lowest first."""
SAMPLING = ("temperature", "top_p", "top_k", "frequency_penalty", "presence_penalty", "seed")
LIMITS = ("max_tokens", "max_completion_tokens")
MOST_LOGPROBS = 20
# Tokens for thinking beside those of the answer: they count towards one limit. Generous, since unused room costs
# nothing, and a cut answer is paid and worth nothing.
_ROOM = {"none": 0, "minimal": 1024, "low": 2048, "medium": 8192, "high": 16384, "xhigh": 32768, "max": 65536}
_ROOM_UNKNOWN = 8192


class Thinking(StrEnum):
    """Whether a model thinks before it answers, and how that is turned off."""

    NONE = "NONE"  # not unless it is asked to
    DISABLED = "DISABLED"  # by itself; turned off by the type `disabled`
    BETWEEN_TOOLS = "BETWEEN_TOOLS"  # by itself; turned off by the type `between_tools`
    ALWAYS = "ALWAYS"


@dataclass(frozen=True)
class Capabilities:
    """What a model takes.

    `efforts`: the levels of reasoning effort, lowest first; none where it has no such setting. `sampling`: the
    parameters of sampling that may be sent. `own_temperature`: what it samples at where none is sent. `limit`: the name
    of the limit of tokens; `most_tokens` the largest one. `logprobs`: of how many tokens it tells the probability.
    `cache_from`: tokens from which on the beginning of a prompt is cached, None where that is not known. `room`: tokens
    for thinking, where cut answers have shown that it needs them. `has_batches`: the service takes the model in its
    batches. `adapted`: what was left out or renamed since the service refused it, and what the service says of the
    model, in words.
    """

    thinking: Thinking = Thinking.NONE
    efforts: tuple[str, ...] = ()
    sampling: frozenset[str] = frozenset(SAMPLING)
    own_temperature: float | None = None
    is_structured: bool = True
    limit: str = "max_tokens"
    most_tokens: int | None = None
    logprobs: int = 0
    has_system: bool = True
    has_batches: bool = True
    cache_from: int | None = None
    room: int = 0
    adapted: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """What was adapted while a batch ran, as it is kept; `restored` reads it."""
        return {
            "thinking": self.thinking.value,
            "efforts": list(self.efforts),
            "sampling": sorted(self.sampling),
            "is_structured": self.is_structured,
            "limit": self.limit,
            "most_tokens": self.most_tokens,
            "logprobs": self.logprobs,
            "has_system": self.has_system,
            "room": self.room,
            "adapted": list(self.adapted),
        }

    def restored(self, kept: Mapping[str, Any]) -> "Capabilities":
        """These, as a batch had adapted them."""
        if not kept:
            return self
        sequences = {"efforts": tuple(kept["efforts"]), "adapted": tuple(kept["adapted"])}
        thinking, sampling = Thinking(kept["thinking"]), frozenset(kept["sampling"])
        return replace(self, **{**kept, **sequences, "thinking": thinking, "sampling": sampling})


@dataclass(frozen=True)
class Call:
    """How one request is put to a model. `thinking` is the type that is sent, `effort` the level; empty: none is sent.
    `most_tokens` holds the room for thinking. `notes`: what differs from what was asked for, in words."""

    thinking: str
    effort: str
    most_tokens: int
    sampling: Mapping[str, float] = field(default_factory=dict)
    logprobs: int = 0
    notes: tuple[str, ...] = ()


def plan_call(request: Request, capabilities: Capabilities) -> Call:
    """How the request is put to a model of these capabilities.

    A prompt that wants the grade alone gets it without thinking where the model allows that, else at the lowest effort.
    An effort that a person chose is kept. Thinking gets room beside the answer's own tokens.

    >>> haiku = Capabilities(thinking=Thinking.DISABLED, efforts=("low", "high"))
    >>> plan_call(Request("m", "", "?", 32), haiku).thinking
    'disabled'
    >>> plan_call(Request("m", "", "?", 32, is_reasoned=True), haiku).effort
    'low'
    """
    notes = list(capabilities.adapted)
    thinking, effort = "", ""
    if request.effort and capabilities.efforts:
        effort = _nearest_effort(request.effort, capabilities.efforts)
        if effort != request.effort:
            notes.append(f"effort {effort}, the nearest that the model has to {request.effort}")
    elif request.effort:
        notes.append("without effort: the model has no such setting")
    may_be_off = capabilities.thinking in (Thinking.DISABLED, Thinking.BETWEEN_TOOLS)
    if may_be_off and not request.is_reasoned and not effort:
        thinking = capabilities.thinking.value.lower()
        notes.append("thinking off")
    elif capabilities.thinking is not Thinking.NONE and not effort and capabilities.efforts:
        effort = capabilities.efforts[0]
        notes.append(f"effort {effort}")
    thinks = capabilities.thinking is not Thinking.NONE and not thinking or effort not in ("", "none")
    room = max(_ROOM.get(effort, _ROOM_UNKNOWN) if thinks else 0, capabilities.room)
    most = min(request.most_tokens + room, capabilities.most_tokens or sys.maxsize)
    wanted = {**({} if request.temperature is None else {"temperature": request.temperature}), **request.parameters}
    sampling = {name: value for name, value in wanted.items() if name in capabilities.sampling}
    notes += [f"{name} not supported: the model's own" for name in wanted if name not in capabilities.sampling]
    if request.schema is not None and not capabilities.is_structured:
        notes.append("without structured output")
    logprobs = min(MOST_LOGPROBS, capabilities.logprobs) if request.first_token_of else 0
    return Call(thinking, effort, most, sampling, logprobs, tuple(dict.fromkeys(notes)))


def _nearest_effort(wanted: str, efforts: tuple[str, ...]) -> str:
    """The highest level that is not above the wanted one; the lowest where all are above it."""
    below = [effort for effort in efforts if EFFORTS.index(effort) <= EFFORTS.index(wanted)]
    return max(below, key=EFFORTS.index) if below else efforts[0]


def with_room(capabilities: Capabilities, least: int = 4096) -> Capabilities:
    """After an answer was cut: more room for all requests of the batch, four times as much from the second time on."""
    room = max(least, 4 * capabilities.room)
    return replace(capabilities, room=room, adapted=_noted(capabilities, f"room for {room:,} tokens of thinking"))


_REFUSING = re.compile(
    r"(?i)unsupported|(?:not|n't|no longer) (?:be )?(?:support|allow|permit|accept|recogni[sz]|compatib|availab|valid)|"
    r"unknown|unrecogni[sz]ed|unexpected|deprecated|extra (?:inputs|fields)|invalid|must be|less than|greater than|"
    r"at most|exceeds?|maximum|does not exist|cannot|only the default|not implemented"
)
# How services call what we send, by our name of it; the longer names first.
_NAMES = {
    "max_completion_tokens": "limit",
    "max_tokens": "limit",
    "max_output_tokens": "limit",
    "top_logprobs": "logprobs",
    "logprobs": "logprobs",
    "reasoning_effort": "effort",
    "output_config.effort": "effort",
    "effort": "effort",
    "thinking": "thinking",
    "response_format": "structured",
    "json_schema": "structured",
    "output_config.format": "structured",
    "output_format": "structured",
    "system": "system",
    **{name: name for name in SAMPLING},
}


def find_refused(message: str, named: str = "", sent: frozenset[str] = frozenset()) -> str:
    """The parameter that a refusal is about, by the name that was sent; empty where it is about none of them.

    `named` is the field of the answer that names it, where the service has one; else it is looked for in the message,
    as a whole word beside words of refusal: a sentence about the passage is not mistaken for one about a parameter.

    >>> find_refused("Unsupported value: 'temperature' does not support 0.", sent=frozenset({"temperature", "top_p"}))
    'temperature'
    """
    names = sorted(sent & _NAMES.keys(), key=len, reverse=True)
    for name in names:
        if named and (named == name or named.startswith(f"{name}.") or named.endswith(f".{name}")):
            return name
    if not _REFUSING.search(message):
        return ""
    for name in names:
        if name == "system":
            if re.search(r"(?i)system (?:role|message|prompt|instruction)|role[^.]{0,20}\bsystem\b", message):
                return name
        elif re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", message):
            return name
    return ""


def adapt_to_refusal(capabilities: Capabilities, parameter: str, message: str) -> Capabilities | None:
    """Capabilities without what was refused; None where nothing can be left out.

    >>> adapt_to_refusal(Capabilities(), "max_tokens", "Use 'max_completion_tokens' instead.").limit
    'max_completion_tokens'
    >>> adapt_to_refusal(Capabilities(), "max_tokens", "100000 > 64000, the maximum of claude-opus-4-5").most_tokens
    64000
    """
    match _NAMES.get(parameter, ""):
        case "limit":
            return _adapt_limit(capabilities, parameter, message)
        case "logprobs":
            most = [int(number) for number in re.findall(r"\b\d{1,2}\b", message)]
            fewer = max((number for number in most if 0 < number < capabilities.logprobs), default=0)
            note = f"logprobs of {fewer} tokens" if fewer else "without logprobs"
            return replace(capabilities, logprobs=fewer, adapted=_noted(capabilities, note))
        case "effort":
            refused = re.search(rf"['\"`]({'|'.join(EFFORTS)})['\"`]", message)
            left = tuple(effort for effort in capabilities.efforts if refused and effort != refused[1])
            note = f"effort {refused[1]} not supported" if left and refused else "without effort"
            return replace(capabilities, efforts=left, adapted=_noted(capabilities, note))
        case "thinking":
            may_be_between = capabilities.thinking is Thinking.DISABLED and "between_tools" in message
            thinking = Thinking.BETWEEN_TOOLS if may_be_between else Thinking.ALWAYS
            if thinking is capabilities.thinking:
                return None
            notes = () if may_be_between else ("thinking cannot be turned off",)
            return replace(capabilities, thinking=thinking, adapted=_noted(capabilities, *notes))
        case "structured":
            return replace(capabilities, is_structured=False)
        case "system":
            note = "guidelines and scale in front of the question: no system message"
            return replace(capabilities, has_system=False, adapted=_noted(capabilities, note))
        case name if name in capabilities.sampling:
            return replace(capabilities, sampling=capabilities.sampling - {name})
    return None


def _adapt_limit(capabilities: Capabilities, parameter: str, message: str) -> Capabilities | None:
    other = LIMITS[1 - LIMITS.index(parameter)]
    # Of "100000 > 64000, the maximum of claude-opus-4-5" the smaller one; parts of names are smaller still.
    numbers = [number for text in re.findall(r"\d[\d,]*", message) if (number := int(text.replace(",", ""))) >= 256]
    if other in message or not numbers:
        if parameter in capabilities.adapted:  # both names were refused
            return None
        return replace(capabilities, limit=other, adapted=_noted(capabilities, other))
    most = min(numbers)
    return replace(capabilities, most_tokens=most) if most < (capabilities.most_tokens or sys.maxsize) else None


def _noted(capabilities: Capabilities, *notes: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*capabilities.adapted, *notes]))


_SNAPSHOT = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})$")
_MILLION = Decimal(1_000_000)


class Price(NamedTuple):
    """US dollars for a million tokens of each kind, one call at a time; `batch_share` of it in a service's batch.

    `written_hour`: into a cache that lasts for an hour, as in batches; 0 where it costs what `written` does. A prompt
    of more than `long_from` tokens (0: none is) costs `long_read` and `long_given` times as much, all of it.
    """

    fresh: Decimal
    cached: Decimal
    written: Decimal
    given: Decimal
    batch_share: Decimal
    written_hour: Decimal = Decimal(0)
    long_from: Decimal | int = 0
    long_read: Decimal = Decimal(1)
    long_given: Decimal = Decimal(1)

    def as_json(self) -> dict[str, str]:
        """As JSON keeps it exactly; `from_json` reads it."""
        return {name: str(value) for name, value in self._asdict().items()}

    @classmethod
    def from_json(cls, kept: Mapping[str, str]) -> "Price":
        return cls(**{name: Decimal(value) for name, value in kept.items()})


@dataclass(frozen=True)
class PriceTable:
    """What the models of a provider cost, as of a day (YYYY-MM-DD). `dollars`: of each model its prices for a million
    tokens that are fresh, cached, written and given, and as far as they differ those written for an hour, and from how
    many tokens on reading and writing cost how many times as much. `own` are an installation's, before these; `every`
    is that of any other model."""

    as_of: str
    dollars: Mapping[str, tuple[str, ...]]
    batch_share: str = "1"
    own: Mapping[str, Price] = field(default_factory=dict)
    every: Price | None = None

    def find_price(self, model: str) -> Price | None:
        """The price of a model, or of the alias behind a dated snapshot of it; None where the table lacks both.

        >>> PriceTable("2026-11-30", {"m-1": ("2", "1", "2", "8")}).find_price("m-1-20251001").given
        Decimal('8')
        """
        if model in self.own:
            return self.own[model]
        row = self.dollars.get(model) or self.dollars.get(_SNAPSHOT.sub("", model))
        if row is None:
            return self.every
        fresh, cached, written, given, *more = map(Decimal, row)
        return Price(fresh, cached, written, given, Decimal(self.batch_share), *more)


def compute_cost(price: Price, tokens: Tokens, *, is_batch: bool) -> Decimal:
    """US dollars for tokens as the service counted them, of prompts that are not long.

    >>> price = Price(*map(Decimal, ("2.50", "1.25", "2.50", "10", "0.5")))
    >>> compute_cost(price, Tokens(fresh=1_000_000), is_batch=False)
    Decimal('2.50')
    """
    return _compute_cost(price, tokens, is_batch, Decimal(1), Decimal(1))


def compute_surcharge(price: Price, tokens: Tokens, *, is_batch: bool) -> Decimal:
    """What one call costs beyond `compute_cost`, since its prompt is long.

    >>> price = Price(*map(Decimal, ("1", "1", "1", "1", "1", "1", "100", "5", "5")))
    >>> compute_surcharge(price, Tokens(fresh=200, given=50), is_batch=False)
    Decimal('0.001')
    """
    if not price.long_from or tokens.fresh + tokens.cached + tokens.written <= price.long_from:
        return Decimal(0)
    return _compute_cost(price, tokens, is_batch, price.long_read - 1, price.long_given - 1)


def bound_cost(price: Price, tokens: Tokens, *, is_batch: bool, calls: int = 1) -> Decimal:
    """US dollars for so many calls of one size that use these tokens together, with what long prompts cost more."""
    one = Tokens(*(-(-count // calls) for count in (tokens.fresh, tokens.cached, tokens.written, tokens.given)))
    surcharge = compute_surcharge(price, one, is_batch=is_batch)
    return compute_cost(price, tokens, is_batch=is_batch) + calls * surcharge


def _compute_cost(price: Price, tokens: Tokens, is_batch: bool, read: Decimal, given: Decimal) -> Decimal:
    """`read` and `given` times the price of a prompt that is not long."""
    written = (price.written_hour or price.written) if is_batch else price.written
    reading = price.fresh * tokens.fresh + price.cached * tokens.cached + written * tokens.written
    full = (reading * read + price.given * tokens.given * given) / _MILLION
    return full * (price.batch_share if is_batch else 1)


def is_cacheable(request: Request, capabilities: Capabilities) -> bool:
    """Whether the service keeps the beginning that the request shares with others: about a token for four bytes.

    >>> is_cacheable(Request("m", "Guidelines. " * 200, "?", 32), Capabilities(cache_from=512))
    True
    >>> is_cacheable(Request("m", "Guidelines.", "?", 32), Capabilities(cache_from=512))
    False
    """
    return capabilities.cache_from is not None and len(request.fixed.encode()) >= 4 * capabilities.cache_from


def bound_tokens(request: Request, capabilities: Capabilities = Capabilities()) -> Tokens:  # noqa: B008 - frozen
    """A bound on what a request can use, put as a model of these capabilities takes it, without asking the service: a
    token for every two bytes of text, all of it written into a cache (the dearest way), and as long an answer, with the
    thinking before it, as is allowed.

    Services cut English into tokens of some four bytes and other scripts finer; two bytes a token stays above both in
    all but odd texts. It is a bound for a budget, not a forecast.
    """
    size = len(request.fixed.encode()) + len(request.text.encode())
    return Tokens(written=size // 2 + 50, given=plan_call(request, capabilities).most_tokens)

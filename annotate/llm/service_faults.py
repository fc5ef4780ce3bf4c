"""What can go wrong between us and a service, told apart by what is to be done about it; no key is in any message."""

import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from annotate.llm.capabilities import find_refused


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

"""The faults behind HTTP answers: both services use the same numbers."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from annotate.llm import faults, keys

_CAUSES = {408: "timeout", 409: "conflict", 425: "too early", 429: "rate limit", 529: "overloaded"}
_FILTER_WORDS = ("content_filter", "content filter", "content_policy", "responsibleaipolicy")
# Services say with different numbers that nothing is paid any more: waiting does not mend it.
_SPENT_WORDS = ("insufficient_quota", "credit balance is too low", "billing_hard_limit")
LONGEST_WAIT = 600.0
MOST_IN_MESSAGE = 300


def of_status(status: int, headers: Mapping[str, str], body: object, message: str) -> faults.Fault:
    """What an answer other than 200 means. Its message may be shown and stored: the key is taken out of it, and what is
    said of a key that is refused, which may repeat parts of it, is not told at all."""
    if status in (401, 403):
        return faults.Closed(f"refused with {status}", f"the key is not accepted ({status})")
    message, said = keys.without(message)[:MOST_IN_MESSAGE], str(body).lower()
    if status in (400, 402, 429) and any(word in said for word in _SPENT_WORDS):
        return faults.Closed("nothing left to spend", message)
    if status in _CAUSES or status >= 500:
        return faults.Passing(_CAUSES.get(status, f"server fault {status}"), message, retry_after(headers))
    if status in (400, 422) and any(word in said for word in _FILTER_WORDS):
        return faults.Filtered("content filter", message)
    if status in (400, 413, 422):
        return faults.Rejected("request too large" if status == 413 else "request not accepted", message)
    return faults.Closed(f"refused with {status}", message)


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that `retry-after` asks for (RFC 9110: a number or a date), at most ten minutes; None where unreadable.

    >>> retry_after({"retry-after": "3"}), retry_after({"retry-after": "soon"})
    (3.0, None)
    """
    said = headers.get("retry-after", "").strip()
    try:
        seconds = float(said)
    except ValueError:
        try:
            at = parsedate_to_datetime(said)
        except ValueError:
            return None
        seconds = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - (now or datetime.now(UTC))).total_seconds()
    return min(LONGEST_WAIT, max(0.0, seconds)) if seconds == seconds else None

"""A service that is away: the batch waits with growing pauses, and its rows with it, until one call is answered."""

from datetime import datetime, timedelta

from annotate.llm.providers import Fault, Passing, storable
from annotate.models import Batch
from annotate.work.queue import CannotGoOn

FIRST_SECONDS = 5.0
LONGEST_SECONDS = 900.0
LONGEST_AWAY = timedelta(hours=24)


def wait(batch: Batch, fault: Fault, now: datetime) -> datetime:
    """Note that the service did not answer; the moment of the next try. Raises CannotGoOn after a day of it."""
    batch.away_since = batch.away_since or now
    if now - batch.away_since >= LONGEST_AWAY:
        since, words = f"{batch.away_since:%Y-%m-%d %H:%M} UTC", storable(str(fault))
        end(batch)
        raise CannotGoOn(
            f"{batch.judge} has answered nothing since {since}: {words}. What was answered is kept; nothing failed. "
            "Resume the batch once the service is back."
        )
    pause = min(LONGEST_SECONDS, FIRST_SECONDS * 2.0 ** min(batch.away_tries, 20))
    after = (fault.after or 0.0) if isinstance(fault, Passing) else 0.0
    batch.away_tries, batch.away_cause = batch.away_tries + 1, storable(fault.cause)[:60]
    _keep(batch)
    return now + timedelta(seconds=max(pause, after))


def end(batch: Batch) -> None:
    """The service answers again."""
    if batch.away_since is not None:
        batch.away_since, batch.away_tries, batch.away_cause = None, 0, ""
        _keep(batch)


def _keep(batch: Batch) -> None:
    Batch.objects.filter(pk=batch.pk).update(
        away_since=batch.away_since, away_tries=batch.away_tries, away_cause=batch.away_cause
    )


def describe(batch: Batch) -> str:
    """For the note of its work."""
    return f"waiting for {batch.judge}: {batch.away_cause}"

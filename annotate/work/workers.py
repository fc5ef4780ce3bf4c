"""Whether a background worker answers, so that pages can say when none does."""

from datetime import datetime, timedelta

from django.db.models import Q

from annotate.models import Collection, Work, Worker

SILENCE = timedelta(seconds=30)
# A worker that was rung for new work gets this long to show itself.
PATIENCE = timedelta(seconds=5)


def is_silent(collection: Collection, now: datetime) -> bool:
    """Whether work of the collection waits while no worker has left a sign of life for 30 seconds."""
    waits = Q(state=Work.State.QUEUED) | Q(state=Work.State.RUNNING, lease_until__lt=now)
    waiting = Work.objects.filter(waits, collection=collection, created_at__lte=now - PATIENCE)
    return waiting.exists() and not Worker.objects.filter(beat_at__gt=now - SILENCE).exists()

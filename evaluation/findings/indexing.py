"""Indexing runs in the background, where that takes longer than a page may."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import transaction

from annotate.grades import rankings
from annotate.models import Collection, Run, User, Work
from annotate.work import queue
from annotate.work.steps import CannotGoOn, Step
from evaluation.inputs import run_indexes
from evaluation.measures import registry
from evaluation.measures.measure import Measure

KIND = "index"  # as evaluation.apps registers it


def ask(*, collection: Collection, measure: Measure, address: str, by: User | None, now: datetime) -> Work | None:
    """None where the measure can be computed at once. Where the runs have to be indexed first, the work that does so,
    queued once; or that failed or was stopped on the same runs. `address` is the page that waits for it.
    """
    runs = rankings.published_runs(collection)
    if not run_indexes.is_long_in_making(collection, runs, [measure]):
        return None
    return _last_work(collection, runs, measure) or _queue(collection, runs, measure, address, by, now)


def run(work: Work) -> Iterator[Step]:
    """Make the index of the runs of this moment, and keep it."""
    assert work.collection is not None
    yield Step(0, 1)
    runs, measures = rankings.published_runs(work.collection), [registry.parse(work.arguments["measure"])]
    run_indexes.of(work.collection, runs, measures)
    if run_indexes.is_long_in_making(work.collection, runs, measures):
        raise CannotGoOn("The index of runs could not be written into the data folder.")
    yield Step(1, 1)


def _last_work(collection: Collection, runs: Sequence[Run], measure: Measure) -> Work | None:
    """The last for these runs and this measure; None where it is done and its index is gone again."""
    asked = Work.objects.filter(
        collection=collection, kind=KIND, arguments__key=run_indexes.key_of(runs), arguments__measure=str(measure)
    )
    last = asked.order_by("pk").last()
    return None if last is None or last.state == Work.State.DONE else last


@transaction.atomic
def _queue(
    collection: Collection, runs: Sequence[Run], measure: Measure, address: str, by: User | None, now: datetime
) -> Work:
    """Two who ask at once wait for one index."""
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    if there := _last_work(collection, runs, measure):
        return there
    return queue.enqueue(
        collection=collection,
        kind=KIND,
        lane=queue.FINDINGS,
        subject=f"index of {len(runs)} runs",
        arguments={"key": run_indexes.key_of(runs), "measure": str(measure), "result": address},
        by=by,
        now=now,
    )

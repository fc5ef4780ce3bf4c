"""The work of a batch of questions to a model: rows for all pairs first, then calls, then the votes."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress

from django.db import transaction
from django.utils import timezone

from annotate.llm import providers
from annotate.models import Batch, Collection, Suggestion, Work
from annotate.own_judges.operations import requests
from annotate.suggestions.operations import asking, calls, service_batches, storing_answers
from annotate.suggestions.queries import asked_pairs
from annotate.suggestions.queries.asked_pairs import Texts
from annotate.work import kinds as work_kinds
from annotate.work.kinds import CannotGoOn, Step

State = Suggestion.State
BATCH = 500


def run(work: Work) -> Iterator[Step]:
    """Ask until every row has its final state; after a crash it goes on with the rows that have none."""
    batch = Batch.objects.select_related("collection", "rater", "prompt").get(pk=work.arguments["batch"])
    if sentence := providers.find_provider(batch.judge).missing_setup():
        raise CannotGoOn(sentence)
    if not work.cursor and not batch.cancelled_at:  # of a cancelled one only what is paid is still fetched
        yield from _line_up(batch)
    with suppress(storing_answers.LeaseLost):
        if batch.is_batched:
            yield from service_batches.run(batch, work)
        else:
            yield from _call(batch, work)
        _finish(batch)


def _line_up(batch: Batch) -> Iterator[Step]:
    """A row for each pair and sample, made once; those of earlier batches that came to no grade are asked again."""
    pair_ids = iter(asking.wanted_pairs(batch))
    done = 0
    while part := list(itertools.islice(pair_ids, BATCH)):
        with transaction.atomic():
            _ensure_rows(batch, part)
        done += len(part)
        work_kinds.let_others_write()
        yield Step(0, batch.pairs * batch.samples, note=f"lining up {done:,} of {batch.pairs:,} pairs")
    yield Step(*storing_answers.progress(batch), cursor=calls.LINED_UP, note="asking")


def _ensure_rows(batch: Batch, pair_ids: list[int]) -> None:
    if not Batch.objects.select_for_update().filter(pk=batch.pk, cancelled_at=None).exists():
        return  # cancelled in this moment: a row that waits now would wait for ever
    now = timezone.now()
    rows = Suggestion.objects.filter(rater=batch.rater, pair__in=pair_ids, draw__lt=batch.samples)
    open_again = rows.exclude(state__in=[State.DONE, State.SUBMITTED])
    open_again.update(state=State.QUEUED, batch=batch, source=None, cause="", answer="", reason="", attempts=0)
    there = set(rows.values_list("pair", "draw"))
    backstories = asked_pairs.current_backstories(pair_ids) if batch.parameters["against"] != "QUERY" else {}
    topics = dict(batch.collection.pairs.filter(pk__in=pair_ids).values_list("pk", "topic"))
    Suggestion.objects.bulk_create(
        Suggestion(
            rater=batch.rater,
            pair_id=pair_id,
            draw=draw,
            batch=batch,
            state=State.QUEUED,
            backstory=backstories.get(topics[pair_id]),
            created_at=now,
        )
        for pair_id in pair_ids
        for draw in range(batch.samples)
        if (pair_id, draw) not in there
    )


def _call(batch: Batch, work: Work) -> Iterator[Step]:
    yield from calls.make(
        batch,
        asked_pairs.to_ask(batch, State.QUEUED),
        request=Texts.of_batch(batch).request,
        store=lambda came: storing_answers.store(batch=batch, work=work, came=came, now=timezone.now()),
        progress=storing_answers.progress(batch),
    )


@transaction.atomic
def _finish(batch: Batch) -> None:
    """Count the votes of several answers; the first model with grades becomes the one that assessors see, and the
    calibrated judge learns from it."""
    if batch.samples > 1:
        _count_votes(batch)
    Batch.objects.filter(pk=batch.pk).update(finished_at=timezone.now())
    if Suggestion.objects.filter(rater=batch.rater, grade__isnull=False).exists():
        Collection.objects.filter(pk=batch.collection_id, suggesting_rater=None).update(suggesting_rater=batch.rater)
    requests.calibrate_on_batch(batch, timezone.now())


def _count_votes(batch: Batch) -> None:
    votes: dict[int, Counter[int]] = defaultdict(Counter)
    asked = Suggestion.objects.filter(batch=batch).values("pair")
    given = Suggestion.objects.filter(rater=batch.rater, state=State.DONE, pair__in=asked)
    for pair, grade in given.values_list("pair", "grade"):
        votes[pair][grade] += 1
    firsts = list(Suggestion.objects.filter(rater=batch.rater, draw=0, pair__in=votes))
    for first in firsts:
        counted = votes[first.pair_id]
        first.votes = [round(counted[grade] / counted.total(), 6) for grade in batch.collection.scale.grades]
    Suggestion.objects.bulk_update(firsts, ["votes"], batch_size=BATCH)

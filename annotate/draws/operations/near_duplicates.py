"""Finding the near-duplicate passages of each topic, in the background: which pairs people need not judge twice.

Never across topics: the same passage answers two questions differently. Only holes are compared: a pair that the
reference graded is judged by nobody, and its grade is not passed on.
"""

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from annotate.draws import rules
from annotate.draws.operations import changes
from annotate.models import Collection, Judgment, Pair, Topic, User, Work
from annotate.pairs import pair_rows, pair_states
from annotate.work import kinds as work_kinds
from annotate.work import queue
from annotate.work.kinds import Step

FIND = "near-duplicates"
COMPARED = Q(is_pooled=True, is_withdrawn=False, is_reference_closed=False, passage_text__isnull=False)


def request_finding(*, collection: Collection, by: User | None, now: datetime) -> Work:
    return queue.enqueue(
        collection=collection,
        kind=FIND,
        queue=queue.FACTS,
        subject="near-duplicate passages",
        arguments={},
        by=by,
        now=now,
    )


def run(work: Work) -> Iterator[Step]:
    """Topic by topic, in the order of the row ids; the cursor is the last one and how many are done."""
    assert work.collection is not None
    topics = Topic.objects.published().filter(collection=work.collection).order_by("pk")
    total = topics.count()
    last, done = work.cursor or (0, 0)
    for topic in topics.filter(pk__gt=last):
        _store(work.collection, topic, _find(topic))
        done += 1
        work_kinds.let_others_write()
        yield Step(done, total, cursor=[topic.pk, done])


def _find(topic: Topic) -> dict[int, int]:
    """Row id of a near-duplicate -> row id of its representative: judged by people before not judged, then the best
    rank, then the bytes of the id. What people judged keeps their grade and follows no other."""
    rows = Pair.objects.filter(COMPARED, topic=topic).select_related("passage_text")
    judged = _judged(topic)
    preferred = sorted(rows, key=lambda pair: (pair.pk not in judged, *_by_rank(pair)))
    ids = {pair.passage_id: pair.pk for pair in preferred}
    texts = {pair.passage_id: f"{text.title}\n{text.text}" for pair in preferred if (text := pair.passage_text)}
    found = rules.find_near_duplicates(texts)
    return {ids[name]: ids[other] for name, other in found.items() if ids[name] not in judged}


def _judged(topic: Topic) -> set[int]:
    return set(Judgment.objects.filter(pair__topic=topic, round=1, is_current=True).values_list("pair", flat=True))


def _by_rank(pair: Pair) -> tuple[float, bytes]:
    return (float("inf") if pair.best_rank is None else pair.best_rank, pair.passage_id.encode())


@transaction.atomic
def _store(collection: Collection, topic: Topic, found: dict[int, int]) -> None:
    """Write what differs; what was judged since it was compared follows none. Representatives are brought in line
    before those that follow them."""
    is_named = Q(duplicate_of__isnull=False) | Q(duplicates__isnull=False) | Q(pk__in=[*found, *found.values()])
    locked = pair_states.lock_pairs(list(Pair.objects.filter(is_named, topic=topic).values_list("pk", flat=True)))
    judged = _judged(topic)
    found = {pair: leader for pair, leader in found.items() if pair not in judged}
    changed = [pair for pair in locked if pair.duplicate_of_id != found.get(pair.pk)]
    for pair in changed:
        pair.duplicate_of_id = found.get(pair.pk)
    pair_rows.store_columns(changed, ["duplicate_of_id"])
    leaders = {pair.duplicate_of_id for pair in changed} - {pair.pk for pair in changed}
    first = [pair for pair in locked if pair.pk in leaders]
    changes.refresh_in_batches(
        collection, [*first, *sorted(changed, key=lambda pair: pair.duplicate_of_id is not None)]
    )

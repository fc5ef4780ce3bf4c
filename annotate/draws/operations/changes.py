"""Pairs added to the pool and withdrawn from it, by hand or as near-duplicates."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q

from annotate.draws import rules
from annotate.formats import records
from annotate.formats.faults import Faults
from annotate.formats.named_pairs import NAME, NamedPair
from annotate.models import Claim, Collection, Judgment, Pair, Passage, Topic, User, Work
from annotate.pairs import pair_states, refresh
from annotate.work import queue
from annotate.work.queue import Step

BATCH = 500
MOST_AT_ONCE = refresh.AT_ONCE


@dataclass(frozen=True)
class Known:
    """Of named pairs: the topics that the collection has, the passages with a text, the rows of pairs."""

    topics: dict[str, Topic]
    texts: set[str]
    rows: dict[NamedPair, Pair]

    def fault(self, pair: NamedPair) -> str:
        """Why people cannot be asked about a pair; empty where they can, once it is in the pool."""
        if pair.query_id not in self.topics:
            return f"topic {pair.query_id!r} is not in the collection"
        if pair.passage_id not in self.texts:
            return f"the collection has no text of passage {pair.passage_id!r}"
        is_withdrawn = pair in self.rows and self.rows[pair].is_withdrawn
        return f"{pair} is withdrawn; restore it instead" if is_withdrawn else ""


def look_up_pairs(collection: Collection, named: Sequence[NamedPair]) -> Known:
    wanted = {pair.query_id for pair in named}
    topics = Topic.objects.published().filter(collection=collection)
    return Known(
        {topic.query_id: topic for topic in topics if topic.query_id in wanted},
        _with_text(collection, named),
        find_rows(collection, named),
    )


def find_rows(collection: Collection, named: Sequence[NamedPair]) -> dict[NamedPair, Pair]:
    """The rows of the named pairs that have one."""
    found: dict[tuple[str, str], Pair] = {}
    for part in records.split(named, BATCH):
        known = Pair.objects.filter(
            collection=collection,
            topic__query_id__in={pair.query_id for pair in part},
            passage_id__in={pair.passage_id for pair in part},
        )
        found |= {(row.topic.query_id, row.passage_id): row for row in known.select_related("topic")}
    return {pair: found[pair[1:]] for pair in named if pair[1:] in found}


def check_each(named: Sequence[NamedPair], reason: Callable[[NamedPair], str]) -> None:
    """Raise FileRefused with the lines of the pairs for which there is a `reason`; it is empty for a good one."""
    faults = Faults(NAME)
    for pair in named:
        if sentence := reason(pair):
            faults.add(pair.line, sentence)
    faults.raise_if_any()


def _with_text(collection: Collection, named: Sequence[NamedPair]) -> set[str]:
    """The named passages that the collection has the text of."""
    found: set[str] = set()
    for part in records.split(named, BATCH):
        texts = Passage.objects.published().filter(collection=collection, passage_id__in={p.passage_id for p in part})
        found.update(texts.values_list("passage_id", flat=True))
    return found


class TooMany(ValueError):
    """More pairs than can be changed at once."""


@dataclass(frozen=True)
class Added:
    """`pooled`: new in the pool. `there`: pooled before. `settled`: of all, graded by the reference, so not asked."""

    pooled: int
    there: int
    settled: int


def add_pairs(*, collection: Collection, named: Sequence[NamedPair]) -> Added:
    """Put the named pairs into the pool; those that are there stay from now on, even if the runs lose them.

    All or nothing: raises TooMany, and FileRefused for unknown topics, passages without a text and withdrawn pairs.
    """
    check_number(named)
    known = look_up_pairs(collection, named)
    check_each(named, known.fault)
    with transaction.atomic():
        rows = []
        for part in records.split(named, BATCH):
            wanted = [(known.topics[pair.query_id], pair.passage_id) for pair in part]
            rows += pair_states.ensure_rows(collection=collection, named=wanted)
        return _enter(collection, [row.pk for row in rows])


def check_number(named: Sequence[NamedPair]) -> None:
    if len(named) > MOST_AT_ONCE:
        raise TooMany(f"At most {MOST_AT_ONCE:,} pairs are changed at once, so that nobody waits; send them in parts.")


def _enter(collection: Collection, ids: list[int]) -> Added:
    """The pairs are locked before the collection, as by those who judge."""
    locked = pair_states.lock_pairs(ids)
    new = [pair for pair in locked if not pair.is_pooled]
    if new:
        frame = raise_frame(collection)
        for pair in new:
            pair.is_pooled, pair.frame_version = True, frame
    for pair in locked:
        pair.is_added = True
    pair_states.store_columns(locked, ["is_pooled", "is_added", "frame_version"])
    refresh_in_batches(collection, locked)
    return Added(len(new), len(locked) - len(new), sum(pair.is_reference_closed for pair in locked))


def raise_frame(collection: Collection) -> int:
    """The number of the next frame of pairs. Call after the pairs are locked."""
    Collection.objects.filter(pk=collection.pk).update(frame_version=F("frame_version") + 1)
    return Collection.objects.values_list("frame_version", flat=True).get(pk=collection.pk)


def refresh_in_batches(collection: Collection, locked: list[Pair]) -> None:
    """Bring the states of locked pairs in line, in batches."""
    for batch in records.split(locked, refresh.BATCH):
        pair_states.refresh(collection=collection, pairs=batch)


class NoReason(ValueError):
    """A pair is withdrawn for a reason."""


@dataclass(frozen=True)
class Changed:
    """`changed`: withdrawn, or given back. `unchanged` were so before. `drawn`: changed pairs in the draw in force."""

    changed: int
    unchanged: int
    drawn: int


def withdraw_pairs(*, collection: Collection, named: Sequence[NamedPair], reason: str, now: datetime) -> Changed:
    """Ask nobody about these pairs any more. Who has one on the screen loses the claim; a grade that still comes is
    kept and marked extra. Pairs that are withdrawn keep their first reason.

    All or nothing: raises NoReason, TooMany, and FileRefused for pairs that are not in the pool.
    """
    if not reason.strip():
        raise NoReason("Say why the pairs are withdrawn; whoever analyses the judgments will want to know.")
    return _change(collection, named, now, is_withdrawn=True, reason=reason.strip())


def restore_pairs(*, collection: Collection, named: Sequence[NamedPair], now: datetime) -> Changed:
    """Ask about withdrawn pairs again; who holds one that was not withdrawn keeps it. All or nothing, as `withdraw`."""
    return _change(collection, named, now, is_withdrawn=False, reason="")


def _change(
    collection: Collection, named: Sequence[NamedPair], now: datetime, *, is_withdrawn: bool, reason: str
) -> Changed:
    check_number(named)
    rows = find_rows(collection, named)
    check_each(named, lambda pair: "" if pair in rows and rows[pair].is_pooled else f"{pair} is not in the pool")
    ids = [row.pk for row in rows.values()]
    with transaction.atomic():
        if is_withdrawn:
            _end_claims(ids, now)
        locked = pair_states.lock_pairs(ids)
        changed = [pair for pair in locked if pair.is_withdrawn != is_withdrawn]
        for pair in changed:
            pair.is_withdrawn, pair.withdrawn_reason = is_withdrawn, reason
        if changed:
            raise_frame(collection)
            pair_states.store_columns(changed, ["is_withdrawn", "withdrawn_reason"])
            refresh_in_batches(collection, changed)
    return Changed(len(changed), len(locked) - len(changed), sum(pair.is_drawn for pair in changed))


def _end_claims(pairs: list[int], now: datetime) -> None:
    """Claims are locked before their pairs, as by those who judge. One that is made meanwhile ends by itself: a pair
    that nobody is asked about is not served again."""
    open_claims = (
        Claim.objects.select_for_update(no_key=True).filter(pair__in=pairs, state=Claim.State.OPEN).order_by("pk")
    )
    ids = [claim.pk for claim in open_claims]
    Claim.objects.filter(pk__in=ids).update(state=Claim.State.EXPIRED, closed_at=now)


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
        queue.let_others_write()
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
    pair_states.store_columns(changed, ["duplicate_of_id"])
    leaders = {pair.duplicate_of_id for pair in changed} - {pair.pk for pair in changed}
    first = [pair for pair in locked if pair.pk in leaders]
    refresh_in_batches(collection, [*first, *sorted(changed, key=lambda pair: pair.duplicate_of_id is not None)])

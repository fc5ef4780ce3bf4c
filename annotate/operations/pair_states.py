"""The only writer of what a pair's row repeats of other rows: closed by the reference, consensus, open places."""

from collections import defaultdict

from django.db.models import Count, F

from annotate.models import Claim, Collection, Judgment, Pair, ReferenceGrade
from annotate.rules import consensus, grades

COLUMNS = ["is_reference_closed", "consensus_grade", "target", "counted", "places_open"]


def refresh(*, collection: Collection, pairs: list[Pair], is_reference_known: bool = False) -> None:
    """Recompute the states of at most a batch of pairs from the rows that they follow from, and move the collection's
    counters by the difference. Call in a transaction that holds the pairs' rows; `is_reference_known` saves a
    statement where the reference cannot have changed.

    The collection's settings are read here, after the pairs were locked, not taken from `collection`, which long work
    read hours ago. So whoever changes a setting, commits it and then refreshes every pair has the last word: a pair
    that still saw the old setting was locked before. Locking the collection here would make all judges wait in line.
    """
    if not pairs:
        return
    collection = Collection.objects.get(pk=collection.pk)
    closed = {p.pk for p in pairs if p.is_reference_closed} if is_reference_known else _closed(collection, pairs)
    given, counted = _judged(pairs)
    claimed = _claimed(pairs)
    before = [(pair.target, pair.counted) for pair in pairs]
    changed = []
    for pair in pairs:
        old = [getattr(pair, name) for name in COLUMNS]
        pair.is_reference_closed = pair.pk in closed
        pair.consensus_grade = consensus.consensus(collection.consensus, given[pair.pk])
        pair.target = collection.target if _is_wanted(pair) else 0
        pair.counted = min(counted[pair.pk], pair.target)
        pair.places_open = max(0, pair.target - pair.counted - claimed.get(pair.pk, 0))
        if old != [getattr(pair, name) for name in COLUMNS]:
            changed.append(pair)
    if changed:
        Pair.objects.bulk_update(changed, COLUMNS)
        _move_counters(collection, before, [(pair.target, pair.counted) for pair in pairs])


def _is_wanted(pair: Pair) -> bool:
    """Whether people are asked: pooled, with a text to show, not settled by the reference, not withdrawn."""
    return (
        pair.is_pooled and pair.passage_text_id is not None and not pair.is_reference_closed and not pair.is_withdrawn
    )


def _closed(collection: Collection, pairs: list[Pair]) -> set[int]:
    given = ReferenceGrade.objects.filter(
        pair__in=pairs, rater=collection.reference_rater_id, dropped_by=None, source__state="PUBLISHED"
    )
    return {pair for pair, grade in given.values_list("pair", "grade") if grades.closes_hole(grade)}


def _judged(pairs: list[Pair]) -> tuple[dict[int, list[int]], dict[int, int]]:
    """Of each pair the final grades of the first round, and how many judgments count towards the target."""
    given: dict[int, list[int]] = defaultdict(list)
    counted: dict[int, int] = defaultdict(int)
    judgments = Judgment.objects.filter(pair__in=pairs, round=1, is_current=True)
    for pair, grade, is_extra in judgments.values_list("pair", "grade", "is_extra"):
        if grade is not None:
            given[pair].append(grade)
        counted[pair] += not is_extra
    return given, counted


def _claimed(pairs: list[Pair]) -> dict[int, int]:
    claims = Claim.objects.filter(pair__in=pairs, state=Claim.State.OPEN)
    return dict(claims.values("pair").annotate(number=Count("id")).values_list("pair", "number"))


def _move_counters(collection: Collection, before: list[tuple[int, int]], after: list[tuple[int, int]]) -> None:
    wanted = sum(target > 0 for target, _ in after) - sum(target > 0 for target, _ in before)
    still_open = sum(target > counted for target, counted in after) - sum(
        target > counted for target, counted in before
    )
    if wanted or still_open:
        Collection.objects.filter(pk=collection.pk).update(
            pairs_wanted=F("pairs_wanted") + wanted, pairs_open=F("pairs_open") + still_open
        )

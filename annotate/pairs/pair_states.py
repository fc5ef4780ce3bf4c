"""The only writer of what a pair's row repeats of other rows: closed by the reference, consensus, spread, dispute, open
places."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db import connection
from django.db.models import F, OrderBy, Q

from annotate.models import Adjudication, Collection, Pair, Passage, ReferenceGrade, Topic
from annotate.rules import assignment, completion, drawing

SETTINGS = (
    "order",
    "seed",
    "target",
    "target_several",
    "share_several",
    "consensus",
    "propagates_duplicates",
    "reference_rater_id",
)
# A row for each judgment of a pair with each of its claims: few people judge one pair. Written out, since it is asked
# with each judgment: to put it together from objects takes longer than to answer it.
FACT_ROWS = f"""
    SELECT p.id, t.query_id, held.id, judged.id, judged.grade, judged.is_extra,
           decided.id, decided.grade, decided.has_new_evidence, {", ".join(f'c."{name}"' for name in SETTINGS)}
    FROM annotate_pair p
    JOIN annotate_topic t ON t.id = p.topic_id
    JOIN annotate_collection c ON c.id = p.collection_id
    LEFT JOIN annotate_judgment judged ON judged.pair_id = p.id AND judged.round = 1 AND judged.is_current
    LEFT JOIN annotate_claim held ON held.pair_id = p.id AND held.round = 1 AND held.state = 'OPEN'
    LEFT JOIN annotate_adjudication decided ON decided.pair_id = p.id AND decided.is_current
    WHERE p.id IN
"""
STATE_COLUMNS = ["is_reference_closed", "consensus_grade", "spread", "is_disputed", "target", "counted", "places_open"]
# In this order everybody locks pairs, near-duplicates after what they duplicate; and the collection after all of them.
# Locked with `no_key`: who inserts a row that names a pair is not kept waiting by who changes it, at its commit even,
# where nobody could know the order.
LOCK_ORDER: list[str | OrderBy] = [F("duplicate_of").asc(nulls_first=True), "pk"]


@dataclass
class Facts:
    """Of one pair: the decision in force (`is_decided`; `decision` is None where nobody can judge the pair), and of
    people's first round who holds it and what was answered, by the row ids of claims and judgments."""

    query_id: str
    is_decided: bool
    decision: int | None
    has_new_evidence: bool
    held: set[int] = field(default_factory=set)
    answers: dict[int, int | None] = field(default_factory=dict)
    extra: set[int] = field(default_factory=set)

    @property
    def given(self) -> list[int]:
        """The final grades."""
        return [grade for grade in self.answers.values() if grade is not None]

    @property
    def counted(self) -> int:
        """How many judgments count towards the target."""
        return len(self.answers) - len(self.extra)


def lock_pairs(ids: Sequence[int]) -> list[Pair]:
    """The pairs of these row ids, locked together with the near-duplicates that `refresh` brings in line with them."""
    both = Pair.objects.filter(Q(pk__in=ids) | Q(duplicate_of__in=ids)).order_by(*LOCK_ORDER)
    asked = set(ids)
    return [pair for pair in both.select_for_update(no_key=True) if pair.pk in asked]


def refresh(
    *, collection: Collection, pairs: list[Pair], is_reference_known: bool = False, has_new_evidence: bool = False
) -> list[Pair]:
    """Recompute the states of at most a batch of pairs, and of the near-duplicates that follow them, from the rows that
    they follow from, and move the collection's counters by the difference; returns those that changed. Call in a
    transaction that holds the pairs' rows; `is_reference_known` saves a statement where the reference cannot have
    changed; `has_new_evidence` flags the decisions on the pairs, since people judged them.

    The collection's settings are read here, after the pairs were locked, not taken from `collection`, which long work
    read hours ago. So whoever changes a setting, commits it and then refreshes every pair has the last word: a pair
    that still saw the old setting was locked before. Locking the collection here would make all judges wait in line.
    """
    if not pairs:
        return []
    asked = {pair.pk for pair in pairs}
    pairs = _with_duplicates(pairs)
    settings, facts = _read_facts(pairs)
    if has_new_evidence:
        _flag([pair for pair in pairs if pair.pk in asked], facts)
    closed = {p.pk for p in pairs if p.is_reference_closed} if is_reference_known else _closed(settings, pairs)
    before = [(pair.target, pair.counted) for pair in pairs]
    old = {pair.pk: _state(pair) for pair in pairs}
    known = _leaders(pairs, settings)
    for pair in pairs:
        pair.is_reference_closed = pair.pk in closed
        leader = known.get(pair.duplicate_of_id) if pair.duplicate_of_id and settings.propagates_duplicates else None
        _follow(pair, facts[pair.pk], settings, leader)
        known[pair.pk] = pair
    changed = [pair for pair in pairs if old[pair.pk] != _state(pair)]
    if changed:
        _store(changed)
        _move_counters(collection, before, [(pair.target, pair.counted) for pair in pairs])
    return changed


def _read_facts(pairs: list[Pair]) -> tuple[Collection, dict[int, Facts]]:
    """The settings of the collection of these pairs (one or more), and their facts by row id."""
    facts: dict[int, Facts] = {}
    with connection.cursor() as cursor:
        cursor.execute(f"{FACT_ROWS} ({', '.join(['%s'] * len(pairs))})", [pair.pk for pair in pairs])
        rows = cursor.fetchall()
    for pk, query_id, held, judged, grade, is_extra, decided, decision, is_flagged, *_ in rows:
        its = facts.setdefault(pk, Facts(query_id, decided is not None, decision, bool(is_flagged)))
        if held:
            its.held.add(held)
        if judged:
            its.answers[judged] = grade
            its.extra |= {judged} if is_extra else set()
    return Collection(**dict(zip(SETTINGS, rows[0][-len(SETTINGS) :], strict=True))), facts


def _follow(pair: Pair, facts: Facts, settings: Collection, leader: Pair | None) -> None:
    """Bring the columns of a pair in line with its facts; `leader` is the pair whose grade it takes, if any."""
    own = facts.decision if facts.is_decided else completion.find_consensus(settings.consensus, facts.given)
    led = leader.consensus_grade if leader and not facts.is_decided else None
    pair.consensus_grade = own if led is None else led
    pair.spread = max(facts.given) - min(facts.given) if facts.given else 0
    pair.target = _target(pair, facts, settings) if _is_wanted(pair, settings, leader) else 0
    pair.counted = min(facts.counted, pair.target)
    pair.places_open = max(0, pair.target - pair.counted - len(facts.held))
    pair.is_disputed = _is_disputed(pair, facts)


def _is_wanted(pair: Pair, settings: Collection, leader: Pair | None) -> bool:
    """Whether people are asked: a pooled pair with a text to show, not withdrawn; one that measures drift, or a hole
    in the sample or list, if one is in force, that takes no other pair's grade."""
    if not pair.is_pooled or pair.passage_text_id is None or pair.is_withdrawn:
        return False
    if pair.is_calibration:
        return True
    is_in_order = pair.is_drawn or settings.order not in (drawing.SAMPLE, drawing.LIST)
    follows = leader is not None and (leader.target > 0 or leader.consensus_grade is not None)
    return is_in_order and not pair.is_reference_closed and not follows


def _is_disputed(pair: Pair, facts: Facts) -> bool:
    """Whether an adjudicator is to look: all judgments are there and agree on no grade or differ, and nobody decided;
    or people judged it since it was decided."""
    if facts.is_decided:
        return facts.has_new_evidence
    is_met = pair.target > 0 and pair.counted >= pair.target and not pair.is_reference_closed
    return is_met and (pair.consensus_grade is None or pair.spread > 0)


def _target(pair: Pair, facts: Facts, settings: Collection) -> int:
    return assignment.assign_target(
        settings.target,
        settings.target_several,
        settings.share_several,
        settings.seed,
        query_id=facts.query_id,
        passage_id=pair.passage_id,
    )


def _leaders(pairs: list[Pair], settings: Collection) -> dict[int, Pair]:
    """The pairs, not among these, whose grade some of these take: a near-duplicate follows its pair if the collection
    says so."""
    named = {pair.duplicate_of_id for pair in pairs if pair.duplicate_of_id} - {pair.pk for pair in pairs}
    return Pair.objects.in_bulk(named) if named and settings.propagates_duplicates else {}


def _with_duplicates(pairs: list[Pair]) -> list[Pair]:
    """The pairs and the locked near-duplicates of them, which come last: what they follow is worked out before."""
    followers = Pair.objects.filter(duplicate_of__in=pairs).exclude(pk__in=[p.pk for p in pairs])
    found = followers.select_for_update(no_key=True).order_by(*LOCK_ORDER)
    return sorted([*pairs, *found], key=lambda pair: pair.duplicate_of_id is not None)


def _flag(pairs: list[Pair], facts: dict[int, Facts]) -> None:
    """Mark the decisions in force on these pairs as having new evidence: what people say flags a decision and never
    undoes it. Most pairs have none and cost no statement."""
    decided = [pair for pair in pairs if facts[pair.pk].is_decided]
    if decided:
        decisions = Adjudication.objects.filter(pair__in=decided, is_current=True, has_new_evidence=False)
        decisions.update(has_new_evidence=True)
    for pair in decided:
        facts[pair.pk].has_new_evidence = True


def _closed(settings: Collection, pairs: list[Pair]) -> set[int]:
    given = ReferenceGrade.objects.filter(
        pair__in=pairs, rater=settings.reference_rater_id, dropped_by=None, source__state="PUBLISHED"
    )
    return {pair for pair, grade in given.values_list("pair", "grade") if completion.closes_hole(grade)}


def _state(pair: Pair) -> tuple[object, ...]:
    return tuple(getattr(pair, name) for name in STATE_COLUMNS)


def _store(changed: list[Pair]) -> None:
    """One statement for each state: a batch has few, while bulk_update would name all columns of each pair."""
    by_state: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for pair in changed:
        by_state[_state(pair)].append(pair.pk)
    for state, pairs in by_state.items():
        Pair.objects.filter(pk__in=pairs).update(**dict(zip(STATE_COLUMNS, state, strict=True)))


def _move_counters(collection: Collection, before: list[tuple[int, int]], after: list[tuple[int, int]]) -> None:
    wanted = sum(target > 0 for target, _ in after) - sum(target > 0 for target, _ in before)
    still_open = sum(target > counted for target, counted in after) - sum(
        target > counted for target, counted in before
    )
    if wanted or still_open:
        Collection.objects.filter(pk=collection.pk).update(
            pairs_wanted=F("pairs_wanted") + wanted, pairs_open=F("pairs_open") + still_open
        )


Value = int | str | None


def ensure_rows(*, collection: Collection, named: list[tuple[Topic, str]]) -> list[Pair]:
    """The rows of the pairs, made where missing and joined to their passage's text where the collection has it.

    Call in a transaction, with at most a batch of pairs. The answer is in the order of the names, each once.
    """
    wanted = list(dict.fromkeys(named))
    found = _find(wanted)
    missing = [(topic, passage_id) for topic, passage_id in wanted if (topic.pk, passage_id) not in found]
    if missing:
        _create(collection, missing)
        found |= _find(missing)
    return [found[topic.pk, passage_id] for topic, passage_id in wanted]


def _find(wanted: list[tuple[Topic, str]]) -> dict[tuple[int, str], Pair]:
    rows = Pair.objects.filter(
        topic__in={topic for topic, _ in wanted}, passage_id__in={passage_id for _, passage_id in wanted}
    )
    return {(pair.topic_id, pair.passage_id): pair for pair in rows}


def _create(collection: Collection, missing: list[tuple[Topic, str]]) -> None:
    collection = Collection.objects.get(pk=collection.pk)  # order and seed as they are now
    texts = dict(
        Passage.objects.published()
        .filter(collection=collection, passage_id__in={passage_id for _, passage_id in missing})
        .values_list("passage_id", "pk")
    )
    Pair.objects.bulk_create(
        [
            Pair(
                collection=collection,
                topic=topic,
                passage_id=passage_id,
                passage_text_id=texts.get(passage_id),
                order_key=drawing.order_key(collection.order, collection.seed, topic.query_id, passage_id),
            )
            for topic, passage_id in missing
        ],
        ignore_conflicts=True,
    )


def store_columns(pairs: Iterable[Pair], columns: Sequence[str]) -> None:
    """Write these columns of locked pairs as they are in memory; call in a transaction."""
    write_columns(columns, [(*(getattr(pair, name) for name in columns), pair.pk) for pair in pairs])


def write_columns(columns: Sequence[str], rows: Sequence[tuple[Value, ...]]) -> None:
    """`rows`: values of the columns and then the row id, in the order in which pairs are locked. One statement, run for
    each: `bulk_update` would build a CASE with a branch for each, which takes a second for some hundreds on SQLite."""
    if not rows:
        return
    assignments = ", ".join(f"{name} = %s" for name in columns)
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE annotate_pair SET {assignments} WHERE id = %s", rows)

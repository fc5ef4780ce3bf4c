"""How far judging is: of one assessor, of the collection now, and what was judged before."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.paginator import Page, Paginator
from django.db import connection
from django.db.models import BooleanField, Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.expressions import RawSQL

from annotate.judging import rules
from annotate.judging.queries import judging_card
from annotate.models import Adjudication, Claim, Collection, Judgment, Membership, Pair

# Written out, since it is asked with each judgment: to put it together from objects takes ten times what asking takes.
HAS_CLAIMS = """
    EXISTS (SELECT 1 FROM annotate_claim c WHERE c.state = 'OPEN' AND c.assessor_id = %s)
    OR EXISTS (SELECT 1 FROM annotate_claim c
               WHERE c.state = 'OPEN' AND c.collection_id = %s AND c.expires_at <= %s)
"""
IS_UNDECIDED = """
    EXISTS (SELECT 1 FROM annotate_judgment j
            WHERE j.assessor_id = %s AND j.is_current AND j.revealed_at IS NOT NULL
              AND j.decided_at IS NULL)
"""


@dataclass(frozen=True)
class OwnProgress:
    """An assessor's own progress. `total` is what was judged and what is still open, at most all wanted pairs. Hidden
    repeats count in both: a number that stood still would tell them."""

    judged: int
    total: int
    skipped: int


@dataclass(frozen=True)
class Held:
    """Pairs that others hold, and when the first of them comes free."""

    pairs: int
    free_at: datetime | None


@dataclass(frozen=True)
class AssessorState:
    """`is_undecided`: a revealed suggestion waits for the assessor's decision. `has_claims`: the assessor holds a pair
    or some claim of the collection ran out. `repeat`: the row id of the pair that comes again now, if any."""

    mine: OwnProgress
    is_undecided: bool
    has_claims: bool
    repeat: int | None


def read_own_progress(assessor: Membership) -> OwnProgress:
    read = Membership.objects.select_related("collection").get(pk=assessor.pk)
    return own_progress(read, read.collection)


def own_progress(assessor: Membership, collection: Collection) -> OwnProgress:
    """The same from rows that were read already."""
    total = max(assessor.judged, min(collection.pairs_wanted, assessor.judged + collection.pairs_open))
    return OwnProgress(assessor.judged + assessor.repeated, total + assessor.repeated, assessor.skipped)


def count_held_by_others(assessor: Membership) -> Held:
    """For the empty page: what other assessors have in front of them and this one has not judged."""
    claims = Claim.objects.filter(collection=assessor.collection_id, state=Claim.State.OPEN).exclude(assessor=assessor)
    claims = claims.exclude(pair__judgments__assessor=assessor)
    return Held(claims.values("pair").distinct().count(), claims.aggregate(first=Min("expires_at"))["first"])


def count_done(collection: Collection) -> tuple[int, int]:
    """Wanted pairs that have met their target, and all wanted pairs."""
    return collection.pairs_wanted - collection.pairs_open, collection.pairs_wanted


def count_without_text(collection: Collection) -> int:
    """Holes that nobody can be asked about, since the collection lacks their passage's text."""
    return Pair.objects.filter(
        collection=collection, is_pooled=True, is_reference_closed=False, passage_text=None
    ).count()


def read_state(assessor: Membership, now: datetime) -> AssessorState:
    """What an assessor can do next: one statement says which others are needed. Call it while the assessor's row is
    held, which was read together with the collection; the collection's counters are read anew, since what was just
    done may have moved them."""
    at = connection.ops.adapt_datetimefield_value(now)
    asked: dict[str, RawSQL | Subquery] = {
        "has_claims": RawSQL(HAS_CLAIMS, [assessor.pk, assessor.collection_id, at], BooleanField()),
        "is_undecided": RawSQL(IS_UNDECIDED, [assessor.pk], BooleanField()),
    }
    if assessor.collection.share_repeated:
        due = due_repeats(assessor.pk, assessor.judged).filter(~_is_put_off())
        asked["repeat"] = Subquery(due.values("pair")[:1])
    counters = ("pairs_wanted", "pairs_open")
    row = Collection.objects.filter(pk=assessor.collection_id).values(*counters, **asked).get()
    return AssessorState(
        mine=own_progress(assessor, Collection(**{name: row[name] for name in counters})),
        is_undecided=row["is_undecided"],
        has_claims=row["has_claims"],
        repeat=row.get("repeat"),
    )


def undecided_judgment(assessor: Membership) -> Judgment | None:
    """The newest judgment whose revealed suggestion waits for a decision, whatever was judged since: of those that
    IS_UNDECIDED asks about."""
    waiting = Judgment.objects.filter(assessor=assessor.pk, is_current=True, revealed_at__isnull=False, decided_at=None)
    shown = waiting.select_related(*judging_card.JUDGMENT_SHOWN, "assessor__collection")
    return shown.order_by("-created_at", "-pk").first()


def due_repeats(assessor: Membership | int, judged: int) -> QuerySet[Judgment]:
    """The judgments whose pairs come again to an assessor who has judged so many pairs: grades given without any
    suggestion, of pairs that people are still asked about, not yet repeated, nor decided by the same person, who has
    seen then what others answered; what was to be asked first comes first."""
    again = Judgment.objects.filter(assessor=OuterRef("assessor"), pair=OuterRef("pair"), round=2)
    decided = Adjudication.objects.filter(pair=OuterRef("pair"), adjudicator__user=OuterRef("assessor__user"))
    due = Judgment.objects.filter(
        ~Exists(again),
        ~Exists(decided),
        assessor=assessor,
        is_current=True,
        repeat_from__lte=judged,
        round=1,
        outcome=Judgment.Outcome.GRADED,
        suggestion=None,
        pair__target__gt=0,
    )
    return due.order_by("repeat_from", "pk")


def _is_put_off() -> Exists:
    skipped = Claim.objects.filter(assessor=OuterRef("assessor"), pair=OuterRef("pair"), round=2)
    return Exists(skipped.filter(state=Claim.State.SKIPPED))


PAGE = 50
UNSURE = "unsure"
CANNOT = "cannot"


@dataclass(frozen=True)
class Neighbours:
    """Ids of the judgments just before and just after one, None at the ends."""

    earlier: int | None
    later: int | None


def newest_judgment(assessor: Membership) -> Judgment | None:
    return _newest_first(assessor).select_related("suggestion__rater").first()


def find_neighbours(judgment: Judgment) -> Neighbours:
    """In the order of the answers as they stand: a changed one stands where it was changed."""
    at, pk = judgment.created_at, judgment.pk
    mine = Judgment.objects.filter(assessor=judgment.assessor_id, is_current=True)
    earlier = mine.filter(Q(created_at__lt=at) | Q(created_at=at, pk__lt=pk)).order_by("-created_at", "-pk")
    later = mine.filter(Q(created_at__gt=at) | Q(created_at=at, pk__gt=pk)).order_by("created_at", "pk")
    return Neighbours(earlier.values_list("pk", flat=True).first(), later.values_list("pk", flat=True).first())


def list_judgments(assessor: Membership, *, show: str = "", number: str | int = 1) -> Page[Judgment]:
    """A page of fifty. `show` is a grade in digits, `unsure` or `cannot`; anything else shows all.

    A hidden repeat is not listed: beside the first answer it would be known, and perhaps made to agree with it.
    """
    found = _newest_first(assessor).filter(round=1).select_related("pair__topic", "pair__passage_text", "guidelines")
    if show == UNSURE:
        found = found.filter(is_unsure=True)
    elif show == CANNOT:
        found = found.filter(outcome=Judgment.Outcome.CANNOT)
    elif show in [str(grade) for grade in assessor.collection.scale.grades]:
        found = found.filter(grade=int(show))
    return Paginator(found, PAGE).get_page(number)


def _newest_first(assessor: Membership) -> QuerySet[Judgment]:
    return Judgment.objects.filter(assessor=assessor.pk, is_current=True).order_by("-created_at", "-pk")


def list_earlier_versions(judgments: Sequence[Judgment]) -> dict[int, list[Judgment]]:
    """Of each of these current judgments of one person (by its id) the versions that it replaced, oldest first."""
    current = {(each.pair_id, each.round): each.pk for each in judgments}
    replaced = Judgment.objects.filter(
        assessor__in={each.assessor_id for each in judgments},
        pair__in={each.pair_id for each in judgments},
        is_current=False,
    )
    found: dict[int, list[Judgment]] = defaultdict(list)
    for each in replaced.select_related("guidelines").order_by("version"):
        if pk := current.get((each.pair_id, each.round)):
            found[pk].append(each)
    return found


DAY = timedelta(hours=24)


@dataclass(frozen=True)
class TopicProgress:
    """Pairs of a topic that people are asked about, and those of them that met their target."""

    query_id: str
    text: str
    wanted: int
    done: int


@dataclass(frozen=True)
class ArmProgress:
    """`share`: percent that the settings give the arm; `judged`: first-round judgments in it."""

    name: str
    share: int
    judged: int


@dataclass(frozen=True)
class AssessorProgress:
    """`holds_until`: when the pair comes free that the person holds, None for one who holds none."""

    membership: Membership
    holds_until: datetime | None


@dataclass(frozen=True)
class LiveProgress:
    done: int
    wanted: int
    time_left: str
    topics: list[TopicProgress]
    arms: list[ArmProgress]
    assessors: list[AssessorProgress]

    @property
    def is_over(self) -> bool:
        return self.done == self.wanted

    @property
    def topics_done(self) -> int:
        return sum(topic.done == topic.wanted for topic in self.topics)

    @property
    def held(self) -> int:
        return sum(assessor.holds_until is not None for assessor in self.assessors)


def read_live_progress(collection: Collection, now: datetime) -> LiveProgress:
    return LiveProgress(
        done=collection.pairs_wanted - collection.pairs_open,
        wanted=collection.pairs_wanted,
        time_left=rules.describe_time_left(left=_left(collection), recent=_recent(collection, now)),
        topics=_topics(collection),
        arms=_arms(collection),
        assessors=_assessors(collection, now),
    )


def _left(collection: Collection) -> int:
    still_open = Pair.objects.filter(collection=collection, target__gt=F("counted"))
    return still_open.aggregate(left=Sum(F("target") - F("counted")))["left"] or 0


def _recent(collection: Collection, now: datetime) -> int:
    """Judgments that count towards targets; a change of an earlier one is no new one."""
    rows = Judgment.objects.filter(assessor__collection=collection, round=1, version=1, is_extra=False)
    return rows.filter(created_at__gt=now - DAY).count()


def _topics(collection: Collection) -> list[TopicProgress]:
    rows = Pair.objects.filter(collection=collection, target__gt=0).values("topic")
    counted = rows.annotate(wanted=Count("pk"), done=Count("pk", filter=Q(counted__gte=F("target"))))
    by_topic = counted.order_by("topic").values_list("topic__query_id", "topic__text", "wanted", "done")
    return [TopicProgress(*row) for row in by_topic]


def _arms(collection: Collection) -> list[ArmProgress]:
    """Those that have a share or a judgment."""
    rows = Judgment.objects.filter(assessor__collection=collection, is_current=True, round=1)
    judged = dict(rows.values("arm").annotate(number=Count("pk")).values_list("arm", "number"))
    return [
        ArmProgress(Judgment.Arm(arm).label, share, judged.get(arm, 0))
        for arm, share in collection.arm_shares.items()
        if share or arm in judged
    ]


def _assessors(collection: Collection, now: datetime) -> list[AssessorProgress]:
    rows = Membership.objects.filter(collection=collection, role=Membership.Role.ASSESSOR).select_related("user")
    held = Claim.objects.filter(collection=collection, state=Claim.State.OPEN, expires_at__gt=now)
    until = dict(held.values("assessor").annotate(until=Max("expires_at")).values_list("assessor", "until"))
    return [AssessorProgress(row, until.get(row.pk)) for row in rows.order_by("-is_active", "pk")]

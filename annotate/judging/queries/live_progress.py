"""How far judging is, for the researcher who watches it: topics, arms, what is held and what is left.

These statements count rows; they belong to a page of their own and to no request of an assessor.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Max, Q, Sum

from annotate.judging import rules
from annotate.models import Claim, Collection, Judgment, Membership, Pair

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

"""How judges were fooled: shares graded relevant, by judge and disguise."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from annotate.grades import batches
from annotate.models import Batch, Collection, ProbeAnswer
from annotate.rules import shares
from annotate.rules.disguises import Disguise
from annotate.rules.shares import Share

DISGUISES = {
    Disguise.PLAIN: ("plain", "the passage as it is"),
    Disguise.WORDS: ("query words inserted", "each word of the query somewhere in the passage"),
    Disguise.QUERY: ("query repeated", "the query three times in front of the passage"),
    Disguise.ORDER: ("instruction", "a remark behind the passage that asks for the highest grade"),
}


@dataclass(frozen=True)
class Fooled:
    """Of the passages in one disguise. `relevant` is the share of the graded ones at or above the threshold, None where
    none was graded; `without_grade` counts the answers that ended in a state without a grade, `open` those to come."""

    disguise: str
    name: str
    asked: int
    relevant: Share | None
    without_grade: list[tuple[str, int]]
    open: int

    @property
    def percent(self) -> int | None:
        return None if self.relevant is None else round(100 * self.relevant.value)

    @property
    def ends(self) -> tuple[int, int] | None:
        """Of the interval, in percent."""
        return None if self.relevant is None else (round(100 * self.relevant.low), round(100 * self.relevant.high))


@dataclass(frozen=True)
class Probe:
    """One judge, with one prompt where it has one."""

    shown: batches.Shown
    fooled: list[Fooled]

    @property
    def batch(self) -> Batch:
        return self.shown.batch

    @property
    def alone(self) -> "list[Probe]":
        """As a table of one row."""
        return [self]

    @property
    def judge(self) -> str:
        return str(self.batch.parameters["model"])


def of_collection(collection: Collection, now: datetime) -> list[Probe]:
    """The newest first."""
    asked = Batch.objects.filter(collection=collection, purpose=Batch.Purpose.PROBE).order_by("-pk")
    return [of(batch, now) for batch in asked.select_related("work", "prompt", "collection")]


def of(batch: Batch, now: datetime) -> Probe:
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    relevant: dict[str, int] = {}
    is_relevant = Count("pk", filter=Q(grade__gte=batch.collection.scale.relevant_from))
    rows = ProbeAnswer.objects.filter(batch=batch).values_list("disguise", "state")
    for disguise, state, count, high in rows.annotate(count=Count("pk"), high=is_relevant):
        counts[disguise][state] = count
        relevant[disguise] = relevant.get(disguise, 0) + high
    found = [_fooled(disguise, counts[disguise], relevant.get(disguise, 0)) for disguise in Disguise]
    return Probe(batches.shown(batch, now), found)


def told(probe: Probe) -> list[dict[str, object]]:
    """For programs, by disguise."""
    return [
        {
            "disguise": one.disguise,
            "asked": one.asked,
            "graded": one.relevant.of if one.relevant else 0,
            "graded_relevant": one.relevant.hits if one.relevant else 0,
            "share": one.relevant.value if one.relevant else None,
            "interval_95": [one.relevant.low, one.relevant.high] if one.relevant else None,
            "reason": None if one.relevant else "no answer has a grade",
            "without_grade": dict(one.without_grade),
            "open": one.open,
        }
        for one in probe.fooled
    ]


def _fooled(disguise: Disguise, counts: dict[str, int], relevant: int) -> Fooled:
    states = ProbeAnswer.State
    still_open = sum(counts.get(state, 0) for state in (states.QUEUED, states.SUBMITTED))
    still = (states.DONE, states.QUEUED, states.SUBMITTED)
    others = [(str(states(state).label), count) for state, count in sorted(counts.items()) if state not in still]
    return Fooled(
        disguise=disguise.value,
        name=DISGUISES[disguise][0],
        asked=sum(counts.values()),
        relevant=shares.share(relevant, counts.get(states.DONE, 0)),
        without_grade=others,
        open=still_open,
    )

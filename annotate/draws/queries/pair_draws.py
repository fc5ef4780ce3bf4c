"""Which pairs people are asked about: the draw in force and those before, what was added and withdrawn by hand."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from annotate.grades import ratings
from annotate.models import Collection, Pair, PairDraw

MOST_SHOWN = 100


@dataclass(frozen=True)
class Counts:
    """Pairs: in the draw in force and of these done; added by hand; withdrawn; near-duplicates of another."""

    drawn: int
    done: int
    added: int
    withdrawn: int
    duplicates: int


@dataclass(frozen=True)
class Told:
    """A draw and how many judgments in force were made under it."""

    draw: PairDraw
    judgments: int


def counts(collection: Collection) -> Counts:
    rows = Pair.objects.filter(collection=collection).aggregate(
        drawn=Count("pk", filter=Q(is_drawn=True)),
        done=Count("pk", filter=Q(is_drawn=True, target__gt=0, counted__gte=F("target"))),
        added=Count("pk", filter=Q(is_added=True)),
        withdrawn=Count("pk", filter=Q(is_withdrawn=True)),
        duplicates=Count("pk", filter=Q(duplicate_of__isnull=False)),
    )
    return Counts(**rows)


def all_of(collection: Collection) -> list[Told]:
    """All draws, the newest first, without the pairs that their designs name."""
    judged = dict(
        ratings.current(collection).filter(pair_draw__isnull=False).values_list("pair_draw").annotate(Count("pk"))
    )
    return [Told(draw, _judgments(draw, judged)) for draw in draws(collection).defer("design")]


def draws(collection: Collection) -> QuerySet[PairDraw]:
    return PairDraw.objects.filter(collection=collection).select_related("created_by").order_by("-created_at", "-pk")


def withdrawn(collection: Collection) -> list[Pair]:
    """The first withdrawn pairs by topic and passage, with their reasons."""
    rows = Pair.objects.filter(collection=collection, is_withdrawn=True).select_related("topic")
    return list(rows.order_by("topic__query_id", "passage_id")[:MOST_SHOWN])


def _judgments(draw: PairDraw, judged: dict[int, int]) -> int:
    """Calibration pairs are judged beside the draw that orders them: theirs are counted by their mark and time."""
    if draw.kind != PairDraw.Kind.CALIBRATION:
        return judged.get(draw.pk, 0)
    rows = ratings.current(draw.collection).filter(is_calibration=True, claim__claimed_at__gte=draw.created_at)
    return rows.filter(Q(claim__claimed_at__lt=draw.ended_at) if draw.ended_at else Q()).count()

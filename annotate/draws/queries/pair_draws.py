"""Which pairs people are asked about: the draws in force and those before, what was added and withdrawn by hand."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from annotate.grades import ratings
from annotate.models import Collection, Pair, PairDraw, ReferenceGrade
from annotate.rules import completion

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
class DrawWithJudgments:
    """A draw and how many judgments in force were made under it."""

    draw: PairDraw
    judgments: int


def count_pairs(collection: Collection) -> Counts:
    rows = Pair.objects.filter(collection=collection).aggregate(
        drawn=Count("pk", filter=Q(is_drawn=True)),
        done=Count("pk", filter=Q(is_drawn=True, target__gt=0, counted__gte=F("target"))),
        added=Count("pk", filter=Q(is_added=True)),
        withdrawn=Count("pk", filter=Q(is_withdrawn=True)),
        duplicates=Count("pk", filter=Q(duplicate_of__isnull=False)),
    )
    return Counts(**rows)


def list_draws_with_judgments(collection: Collection) -> list[DrawWithJudgments]:
    """All draws, the newest first, without the pairs that their designs name."""
    judged = dict(
        ratings.current_judgments(collection)
        .filter(pair_draw__isnull=False)
        .values_list("pair_draw")
        .annotate(Count("pk"))
    )
    return [DrawWithJudgments(draw, _judgments(draw, judged)) for draw in list_draws(collection).defer("design")]


def list_draws(collection: Collection) -> QuerySet[PairDraw]:
    return PairDraw.objects.filter(collection=collection).select_related("created_by").order_by("-created_at", "-pk")


def find_in_force(collection: Collection) -> PairDraw | None:
    """The draw that the order of the pairs comes from."""
    if collection.pair_draw_id is None:
        return None
    return list_draws(collection).get(pk=collection.pair_draw_id)


def list_withdrawn(collection: Collection) -> list[Pair]:
    """The first withdrawn pairs by topic and passage, with their reasons."""
    rows = Pair.objects.filter(collection=collection, is_withdrawn=True).select_related("topic")
    return list(rows.order_by("topic__query_id", "passage_id")[:MOST_SHOWN])


def _judgments(draw: PairDraw, judged: dict[int, int]) -> int:
    """Calibration pairs are judged beside the draw that orders them: theirs are counted by their mark and time."""
    if draw.kind != PairDraw.Kind.CALIBRATION:
        return judged.get(draw.pk, 0)
    rows = ratings.current_judgments(draw.collection).filter(
        is_calibration=True, claim__claimed_at__gte=draw.created_at
    )
    return rows.filter(Q(claim__claimed_at__lt=draw.ended_at) if draw.ended_at else Q()).count()


def calibration_in_force(collection: Collection) -> PairDraw | None:
    draws = PairDraw.objects.filter(collection=collection, kind=PairDraw.Kind.CALIBRATION, ended_at=None)
    return draws.select_related("created_by").first()


def list_candidates(collection: Collection) -> dict[ratings.PairId, tuple[int, int]]:
    """Of each pooled pair with a text and a reference grade in force that says how relevant it is: its row id and that
    grade."""
    rows = ReferenceGrade.objects.filter(
        rater=collection.reference_rater_id,
        source__state="PUBLISHED",
        dropped_by=None,
        pair__is_pooled=True,
        pair__is_withdrawn=False,
        pair__passage_text__isnull=False,
    )
    columns = rows.values_list(*ratings.NAMES, "pair", "grade")
    return {(query_id, name): (pk, grade) for query_id, name, pk, grade in columns if completion.is_judged(grade)}

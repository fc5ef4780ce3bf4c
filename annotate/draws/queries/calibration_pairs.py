"""Pairs of the reference that people can be asked about again."""

from annotate.grades import ratings
from annotate.models import Collection, PairDraw, ReferenceGrade
from annotate.rules import grades


def in_force(collection: Collection) -> PairDraw | None:
    draws = PairDraw.objects.filter(collection=collection, kind=PairDraw.Kind.CALIBRATION, ended_at=None)
    return draws.select_related("created_by").first()


def candidates(collection: Collection) -> dict[ratings.Pair, tuple[int, int]]:
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
    return {(query_id, name): (pk, grade) for query_id, name, pk, grade in columns if grades.is_judged(grade)}

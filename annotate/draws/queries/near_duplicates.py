"""Near-duplicate passages side by side with the one that is judged for them."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from annotate.models import Collection, Pair
from annotate.rules import text_differences
from annotate.rules.text_differences import Part

MOST_SHOWN = 20  # of one representative: a line that stands on each page of a site has thousands


@dataclass(frozen=True)
class Duplicate:
    """A near-duplicate and its text, and the representative's text, in parts that say where they differ."""

    pair: Pair
    here: list[Part]
    there: list[Part]


@dataclass(frozen=True)
class Group:
    """A representative with the first of its near-duplicates; of the `left` only their number is shown."""

    first: Pair
    duplicates: list[Duplicate]
    left: int


def list_representatives(collection: Collection) -> QuerySet[Pair]:
    """The pairs that have near-duplicates, by topic and best rank."""
    rows = Pair.objects.filter(collection=collection, duplicates__isnull=False).distinct()
    return rows.select_related("topic", "passage_text").order_by("topic__query_id", "best_rank", "passage_id")


def compare_group(representative: Pair) -> Group:
    rows = representative.duplicates.filter(passage_text__isnull=False).select_related("passage_text")
    number = rows.count() if representative.passage_text else 0
    shown = rows.order_by("best_rank", "passage_id")[: min(number, MOST_SHOWN)]
    return Group(representative, [_compared(representative, pair) for pair in shown], max(0, number - MOST_SHOWN))


def near_duplicate_records(collection: Collection) -> Iterator[dict[str, object]]:
    """One record a near-duplicate, by topic and passage."""
    rows = Pair.objects.filter(collection=collection, duplicate_of__isnull=False)
    columns = ("topic__query_id", "passage_id", "duplicate_of__passage_id", "consensus_grade")
    for query_id, passage_id, other, grade in rows.order_by("topic__query_id", "passage_id").values_list(*columns):
        yield {"query_id": query_id, "passage_id": passage_id, "duplicate_of": other, "grade": grade}


def _compared(representative: Pair, pair: Pair) -> Duplicate:
    there, here = text_differences.side_by_side(_text(representative), _text(pair))
    return Duplicate(pair, here, there)


def _text(pair: Pair) -> str:
    assert pair.passage_text is not None
    title, text = pair.passage_text.title, pair.passage_text.text
    return f"{title}\n{text}" if title else text

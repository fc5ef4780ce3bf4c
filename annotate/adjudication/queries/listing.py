"""Pages of pairs that wait for an adjudicator, or that were decided."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from annotate.adjudication.queries import adjudication_queue
from annotate.models import Guidelines, Judgment, Membership, Pair

PAGE = 50
DECIDED = "decided"


@dataclass(frozen=True)
class Waiting:
    """`grades` of people, highest first; None is somebody who could not judge."""

    pair: Pair
    grades: list[int | None]


@dataclass(frozen=True)
class Listing:
    """`show` is a kind of what waits, or DECIDED; `page` is of pairs or of decisions, `waiting` has a page's pairs.
    `left_out`: pairs that wait and are left to others, since this person is still to judge them or has judged them."""

    show: str
    counts: adjudication_queue.Counts
    page: Page
    waiting: list[Waiting]
    left_out: int
    guidelines: Guidelines


def of(adjudicator: Membership, show: str, number: str | int) -> Listing:
    counts = adjudication_queue.counts_for(adjudicator)
    show = show if show in (*adjudication_queue.KINDS, DECIDED) else adjudication_queue.ALL
    if show == DECIDED:
        rows = adjudication_queue.decided(adjudicator).select_related(
            "pair__topic", "pair__passage_text", "adjudicator", "guidelines"
        )
    else:
        rows = adjudication_queue.waiting(adjudicator, show).select_related("topic", "passage_text")
    page = Paginator(rows, PAGE).get_page(number)
    return Listing(
        show=show,
        counts=counts,
        page=page,
        waiting=[] if show == DECIDED else _waiting(list(page)),
        left_out=adjudication_queue.counts(adjudicator.collection).waiting - counts.waiting,
        guidelines=Guidelines.objects.get(collection=adjudicator.collection_id, is_current=True),
    )


def _waiting(pairs: list[Pair]) -> list[Waiting]:
    found: dict[int, list[int | None]] = {pair.pk: [] for pair in pairs}
    rows = Judgment.objects.filter(pair__in=pairs, round=1, is_current=True)
    for pair, grade in rows.values_list("pair", "grade"):
        found[pair].append(grade)
    lowest = -1  # below every grade
    return [
        Waiting(pair, sorted(found[pair.pk], key=lambda g: lowest if g is None else g, reverse=True)) for pair in pairs
    ]

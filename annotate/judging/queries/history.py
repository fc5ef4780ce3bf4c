"""An assessor's own judgments, newest first: the last one, what stands beside it, pages of them, earlier versions."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet

from annotate.models import Judgment, Membership

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

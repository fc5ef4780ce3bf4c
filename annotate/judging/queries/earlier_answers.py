"""What a person answered before an answer was changed: each version with its grade and its time."""

from collections import defaultdict
from collections.abc import Sequence

from annotate.models import Judgment


def of(judgments: Sequence[Judgment]) -> dict[int, list[Judgment]]:
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

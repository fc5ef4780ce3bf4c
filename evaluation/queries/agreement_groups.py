"""Agreement of two raters by topic, and over the time in which people graded."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from annotate.models import Collection
from annotate.queries.ratings import Pair
from evaluation import rater_agreement
from evaluation.agreement import groups
from evaluation.agreement.groups import GroupAgreement
from evaluation.queries import common_pairs, facts
from evaluation.queries.common_pairs import Grades, Sides
from evaluation.queries.facts import Stamp

MOST_DAYS = 14
MOST_WEEKS = 26


@dataclass(frozen=True, eq=False)
class Group:
    """The pairs of one topic, or of one period (in UTC: 2026-03-01, 2026-W09 or 2026-03)."""

    key: str
    figures: GroupAgreement


@dataclass(frozen=True, eq=False)
class Grouped:
    """`topics` in the order of their ids, those left out that have no pair which both graded. `periods` are days, weeks
    or months, whichever are few enough; none where neither rater is people. A pair belongs to the time when people gave
    the last of its grades that are compared."""

    topics: tuple[Group, ...]
    periods: tuple[Group, ...]


def of(collection: Collection, sides: Sides) -> Grouped:
    """The agreement of two raters in groups."""
    return _grouped(collection, sides, facts.stamp(collection, sides.models))


@lru_cache(maxsize=64)
def _grouped(collection: Collection, sides: Sides, _stamp: Stamp) -> Grouped:
    first, second = common_pairs.grades(collection, sides)
    common = first.keys() & second.keys()
    topics = {pair: pair[0] for pair in common}
    times = common_pairs.graded_at(collection, sides) if sides.person else {}
    periods = _periods({pair: at for pair, at in times.items() if pair in common})
    return Grouped(_groups(collection, first, second, topics), _groups(collection, first, second, periods))


def _groups(collection: Collection, first: Grades, second: Grades, keys: dict[Pair, str]) -> tuple[Group, ...]:
    split_at = rater_agreement.relevant_from(collection.scale)
    found = groups.compare(first, second, keys, collection.scale.grades, split_at)
    return tuple(Group(key, figures) for key, figures in found.by_key.items())


def _periods(times: dict[Pair, datetime]) -> dict[Pair, str]:
    if not times:
        return {}
    dates = {pair: at.astimezone(UTC) for pair, at in times.items()}
    days = (max(dates.values()).date() - min(dates.values()).date()).days + 1
    form = "%Y-%m-%d" if days <= MOST_DAYS else "%G-W%V" if days <= 7 * MOST_WEEKS else "%Y-%m"
    return {pair: date.strftime(form) for pair, date in dates.items()}

"""Agreement of two raters by topic, by grade, by where the pairs come from, and over the time of people's grades."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache

from annotate.grades.ratings import Pair
from annotate.models import Collection
from evaluation.agreement import couples, groups
from evaluation.agreement.couples import Couples
from evaluation.agreement.groups import K
from evaluation.findings.agreement import common_pairs, group_figures, pair_sources
from evaluation.findings.agreement.common_pairs import Grades, Sides
from evaluation.findings.agreement.group_figures import Group
from evaluation.inputs import facts
from evaluation.inputs.facts import Stamp

MOST_DAYS = 14
MOST_WEEKS = 26


@dataclass(frozen=True, eq=False)
class Grouped:
    """Groups without a pair that both graded are left out. `topics` are in the order of their ids, `grades` are those
    of the first rater from the lowest up, `sources` as `pair_sources` has them. `periods` are days (2026-03-01), weeks
    (2026-W09) or months (2026-03) in UTC, whichever are few enough; none where neither rater is people. A pair belongs
    to the time when people gave the last of its grades that are compared."""

    topics: tuple[Group, ...]
    grades: tuple[Group, ...]
    sources: tuple[Group, ...]
    periods: tuple[Group, ...]


def of(collection: Collection, sides: Sides) -> Grouped:
    """The agreement of two raters in groups."""
    return _grouped(collection, sides, facts.stamp(collection, sides.models), pair_sources.stamp(collection))


@dataclass(frozen=True, eq=False)
class Given:
    """Grades of two raters, and of people among themselves where that is to stand beside them."""

    first: Grades
    second: Grades
    people: list[Grades] | None
    collection: Collection

    @property
    def pairs(self) -> set[Pair]:
        """All that may fall into a group."""
        return (self.first.keys() & self.second.keys()).union(*(self.people or ()))

    @cached_property
    def _couples(self) -> Couples | None:
        return None if self.people is None else couples.of(self.people)

    def by(self, keys: Mapping[Pair, K]) -> tuple[Group, ...]:
        """One group for each key that has a pair which both graded."""
        scale, split_at = self.collection.scale.grades, self.collection.scale.relevant_from
        found = groups.compare(self.first, self.second, keys, scale, split_at).by_key
        if self._couples is None:
            return tuple(Group(str(key), group_figures.of(figures)) for key, figures in found.items())
        among = groups.among(self._couples, keys, scale, split_at).by_key
        return tuple(
            Group(str(key), group_figures.of(figures), group_figures.of_people(among.get(key)))
            for key, figures in found.items()
        )


def given(collection: Collection, sides: Sides) -> Given:
    first, second = common_pairs.grades(collection, sides)
    return Given(first, second, common_pairs.among_people(collection, sides), collection)


@lru_cache(maxsize=64)
def _grouped(collection: Collection, sides: Sides, _stamp: Stamp, of_sources: Stamp) -> Grouped:
    found = given(collection, sides)
    sources = pair_sources.of(collection, of_sources)
    return Grouped(
        topics=found.by({pair: pair[0] for pair in found.pairs}),
        grades=found.by(found.first),
        sources=found.by({pair: sources[pair] for pair in found.pairs if pair in sources}),
        periods=found.by(_periods(collection, sides, found)) if sides.person else (),
    )


def _periods(collection: Collection, sides: Sides, found: Given) -> dict[Pair, str]:
    compared = common_pairs.graded_at(collection, sides.assessors)
    times = [compared[pair] for pair in found.first.keys() & found.second.keys() if pair in compared]
    if not times:
        return {}
    form = _form((max(times).astimezone(UTC).date() - min(times).astimezone(UTC).date()).days + 1)
    of_all = common_pairs.graded_at(collection) if sides.assessors else compared
    dated: dict[Pair, datetime] = {**of_all, **compared}
    return {pair: at.astimezone(UTC).strftime(form) for pair, at in dated.items() if pair in found.pairs}


def _form(days: int) -> str:
    return "%Y-%m-%d" if days <= MOST_DAYS else "%G-W%V" if days <= 7 * MOST_WEEKS else "%Y-%m"

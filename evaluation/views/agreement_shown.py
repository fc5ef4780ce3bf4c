"""All that the page of agreement, its tables and its figures show of a collection's raters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from annotate.models import Collection
from evaluation.queries import agreement, agreement_groups, raters
from evaluation.queries.agreement import Agreement
from evaluation.queries.agreement_groups import Group
from evaluation.queries.common_pairs import Sides
from evaluation.views import group_rows


@dataclass(frozen=True, eq=False)
class Shown:
    """Two raters of a collection; what they share is computed when it is asked for."""

    collection: Collection
    sides: Sides
    sort: str

    @cached_property
    def found(self) -> Agreement:
        return agreement.agreement(self.collection, self.sides.first.address, self.sides.second.address)

    @cached_property
    def _groups(self) -> agreement_groups.Grouped:
        return agreement_groups.of(self.collection, self.sides)

    @property
    def topics(self) -> list[Group]:
        return group_rows.sort(self._groups.topics, self.sort)

    @property
    def periods(self) -> Sequence[Group]:
        return self._groups.periods

    @property
    def words(self) -> str:
        return f"{self.sides.first.words} and {self.sides.second.words}"


def load(collection: Collection, said: Mapping[str, str]) -> Shown:
    """Raises raters.NoSuchRater and agreement.NotComparable, with the sentence."""
    named = (raters.named(collection, said[side]) for side in ("first", "second"))
    return Shown(collection, agreement.compared(*named), said.get("sort", ""))


REFUSALS = (raters.NoSuchRater, agreement.NotComparable)

"""All that the page of agreement, its tables and its figures show of a collection's raters."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from annotate.models import Collection
from evaluation.forms import AgreementForm, PairsForm
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


def asked(collection: Collection, form: AgreementForm | PairsForm) -> Shown | None:
    """The two raters of a form; None where it is not valid or refuses them, which it then says."""
    if not form.is_valid():
        return None
    said = form.cleaned_data
    try:
        first, second = (raters.named(collection, said[side]) for side in ("first", "second"))
        return Shown(collection, agreement.compared(first, second), said["sort"])
    except (raters.NoSuchRater, agreement.NotComparable) as reason:
        form.add_error(None, str(reason))
        return None

"""What the addresses of agreement say."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from annotate.web.views import set_choices
from evaluation.findings.agreement.details import OVER
from evaluation.inputs import choices
from evaluation.inputs.raters import Kind, NamedRater
from evaluation.pages.agreement import tables
from evaluation.tables.table import sort_names
from evaluation.web import SortedForm, SortField


class AgreementForm(SortedForm):
    """Two raters by their text names."""

    first = forms.CharField(widget=forms.Select)
    second = forms.CharField(label="and", widget=forms.Select)
    over = forms.ChoiceField(label="Intervals over", required=False, choices=[(name, name) for name in OVER])
    sort = SortField(tables.SORTS)

    def __init__(self, raters: Iterable[NamedRater], address: Mapping[str, str]) -> None:
        super().__init__({name: value for name, value in address.items() if name in self.base_fields} or None)
        listed = list(raters)
        offered = [choice for rater in listed for choice in _rater_choices(rater)]
        for name in ("first", "second"):
            self.fields[name].widget.choices = choices.with_typed(offered, address.get(name, ""))
        self.fields["second"].initial = _second(listed)

    @property
    def address(self) -> str:
        """The two raters, and what the intervals are over."""
        return urlencode({name: self.data[name] for name in ("first", "second", "over") if self.data.get(name)})

    def clean_over(self) -> str:
        return self.cleaned_data["over"] or OVER[0]


class SeveralForm(forms.Form):
    """Several raters by their text names."""

    raters = forms.MultipleChoiceField(label="Raters", widget=forms.CheckboxSelectMultiple)
    over = forms.ChoiceField(label="Intervals over", required=False, choices=[(name, name) for name in OVER])
    sort = SortField(sort_names(tables.WITH_FIRST_COLUMNS))

    def __init__(self, raters: Iterable[NamedRater], address: QueryDict) -> None:
        super().__init__(address or None)
        self._sent = address
        set_choices(self.fields["raters"], [choice for rater in raters for choice in _rater_choices(rater)])

    @property
    def address(self) -> str:
        """Who is compared, and what the intervals are over."""
        asked = {"raters": self._sent.getlist("raters"), "over": self._sent.get("over", "")}
        return urlencode({name: value for name, value in asked.items() if value}, doseq=True)

    def clean_over(self) -> str:
        return self.cleaned_data["over"] or OVER[0]


class PairsForm(SortedForm):
    """The pairs behind a cell: the two raters, and where given both grades and the topic."""

    first = forms.CharField()
    second = forms.CharField()
    first_grade = forms.IntegerField(required=False)
    second_grade = forms.IntegerField(required=False)
    topic = forms.CharField(required=False)
    page = forms.IntegerField(required=False, min_value=1)
    sort = SortField(sort_names(tables.pair_columns()))

    @property
    def address(self) -> str:
        """All that was asked but for the page and the order of rows."""
        names = ("first", "second", "first_grade", "second_grade", "topic")
        return urlencode({name: self.data[name] for name in names if self.data.get(name)})


def _second(raters: Sequence[NamedRater]) -> str | None:
    """Whom to compare the first with: not with dropped grades, which have no pair in common with their rater's."""
    return next((rater.address for rater in raters[1:] if rater.kind is not Kind.DROPPED), None)


def _rater_choices(rater: NamedRater) -> list[tuple[str, str]]:
    """The rater; of people and adjudicators also only the grades given blind, of a model with answers that are no grade
    also with these counted."""
    listed = [rater]
    if rater.may_be_blind:
        listed.append(replace(rater, is_blind=True))
    if rater.has_unanswered:
        listed.append(replace(rater, counts_unanswered=True))
    return [(each.address, f"{each.words} ({each.kind.value})") for each in listed]

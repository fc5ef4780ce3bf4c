"""What the addresses of the leaderboard and of agreement say."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from django import forms

from annotate.models import Collection
from annotate.rules import completion
from evaluation.measures import gains, registry
from evaluation.measures.measure import Measure
from evaluation.queries import rule_choices
from evaluation.queries.raters import NamedRater

MEASURES = [
    ("nDCG@10", "nDCG@10, linear gain"),
    ("nDCG(gain=exp)@10", "nDCG@10, exponential gain"),
    ("nDCG(rel=2)@10", "nDCG@10, relevant from grade 2"),
    ("P(rel=2)@10", "P@10, relevant from grade 2"),
    ("AP(rel=2)", "AP, relevant from grade 2"),
    ("Judged@10", "Judged@10"),
]


class LeaderboardForm(forms.Form):
    """Always bound: what the address leaves out is as usual. A rule or measure that is not offered may be typed."""

    rule = forms.CharField(label="Systems under", widget=forms.Select)
    other = forms.CharField(label="Beside", required=False, widget=forms.Select)
    measure = forms.CharField(widget=forms.Select)
    consensus = forms.ChoiceField(label="Consensus of people", choices=Collection.Consensus)

    def __init__(self, collection: Collection, address: Mapping[str, str]) -> None:
        usual = {"rule": rule_choices.USUAL, "measure": MEASURES[0][0], "consensus": collection.consensus}
        if not address:
            usual["other"] = rule_choices.usual_other(collection)
        super().__init__({**usual, **address})
        self.collection = collection
        rules = rule_choices.offered(collection)
        self.fields["rule"].widget.choices = _with_typed(rules, self.data["rule"])
        self.fields["other"].widget.choices = [("", "nothing"), *_with_typed(rules, self.data.get("other", ""))]
        self.fields["measure"].widget.choices = _with_typed(MEASURES, self.data["measure"])

    def clean_measure(self) -> Measure:
        try:
            measure = registry.parse(self.cleaned_data["measure"])
            gains.table(str(measure.parameters.get("gain", "linear")), self.collection.highest_grade)
        except ValueError as reason:
            raise forms.ValidationError(f"This measure cannot be used: {reason}.") from None
        return measure

    def clean(self) -> dict[str, object]:
        for name in ("rule", "other"):
            if self.cleaned_data.get(name):
                self._clean_rule(name)
        return self.cleaned_data

    def _clean_rule(self, name: str) -> None:
        consensus = self.cleaned_data.get("consensus", self.collection.consensus)
        try:
            rule = completion.parse(self.cleaned_data[name], consensus)
        except completion.UnknownRule as reason:
            return self.add_error(name, f"This rule cannot be used: {reason}.")
        if missing := set(rule.models).difference(rule_choices.models(self.collection)):
            return self.add_error(name, f"The collection has no model rater named {' or '.join(sorted(missing))}.")
        self.cleaned_data[name] = rule


class AgreementForm(forms.Form):
    """Two raters by their text names."""

    first = forms.CharField(widget=forms.Select)
    second = forms.CharField(label="and", widget=forms.Select)

    def __init__(self, raters: Iterable[NamedRater], address: Mapping[str, str]) -> None:
        super().__init__(address or None)
        choices = [choice for rater in raters for choice in _rater_choices(rater)]
        for name in self.fields:
            self.fields[name].widget.choices = _with_typed(choices, address.get(name, ""))


def _rater_choices(rater: NamedRater) -> list[tuple[str, str]]:
    """The rater; a person also with only the grades given blind."""
    as_such = (rater.address, f"{rater.name} ({rater.kind.value})")
    if not rater.is_person:
        return [as_such]
    blind = replace(rater, is_blind=True)
    return [as_such, (blind.address, f"{blind.words} ({rater.kind.value})")]


def _with_typed(choices: list[tuple[str, str]], typed: str) -> list[tuple[str, str]]:
    """The choices, and what stands in the address if it is none of them."""
    return choices if not typed or typed in dict(choices) else [*choices, (typed, typed)]

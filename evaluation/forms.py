"""What the addresses of the leaderboard and of agreement say."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from urllib.parse import urlencode

from django import forms

from annotate.models import Collection
from annotate.queries import usual_rule
from annotate.rules import completion
from evaluation.measures import gains, registry
from evaluation.measures.measure import Measure
from evaluation.queries import measure_choices, rule_choices
from evaluation.queries.agreement_details import OVER
from evaluation.queries.measure_choices import MEASURES
from evaluation.queries.raters import NamedRater

SYSTEM_COLUMNS = (
    "place",
    "system",
    "group",
    "mean",
    "at_lowest",
    "at_highest",
    "judged",
    "models",
    "other_place",
    "moved",
    "other_mean",
    "other_judged",
    "other_models",
)
TOPIC_COLUMNS = ("topic", "value", "median", "judged", "other_value", "difference")
GROUP_COLUMNS = ("topic", "n", "alpha", "kappa", "binary", "equal", "difference")
PAIR_COLUMNS = ("topic", "passage", "first", "second", "difference")


class SortField(forms.ChoiceField):
    """The name of a column; with a minus before it from the largest down."""

    def __init__(self, columns: Iterable[str]) -> None:
        choices = [(sign + name, name) for name in columns for sign in ("", "-")]
        super().__init__(choices=choices, required=False, widget=forms.HiddenInput)


class LeaderboardForm(forms.Form):
    """Always bound: what the address leaves out is as usual. A rule or measure that is not offered may be typed."""

    rule = forms.CharField(label="Systems under", widget=forms.Select)
    other = forms.CharField(label="Beside", required=False, widget=forms.Select)
    measure = forms.CharField(widget=forms.Select)
    gain = forms.CharField(required=False, widget=forms.Select)
    unjudged = forms.ChoiceField(label="Unjudged passages are", required=False, choices=measure_choices.UNJUDGED)
    consensus = forms.ChoiceField(label="Consensus of people", choices=Collection.Consensus)
    find = forms.CharField(label="Find systems or groups", required=False, max_length=200)
    sort = SortField(SYSTEM_COLUMNS)

    def __init__(self, collection: Collection, address: Mapping[str, str]) -> None:
        usual = {"rule": str(usual_rule.of(collection)), "measure": MEASURES[0][0], "consensus": collection.consensus}
        if not {"rule", "other"} & address.keys():
            usual["other"] = rule_choices.usual_other(collection)
        super().__init__({**usual, **address})
        self.collection = collection
        rules = rule_choices.offered(collection)
        self.fields["rule"].widget.choices = _with_typed(rules, self.data["rule"])
        self.fields["other"].widget.choices = [("", "nothing"), *_with_typed(rules, self.data.get("other", ""))]
        self.fields["measure"].widget.choices = _with_typed(MEASURES, self.data["measure"])
        self.fields["gain"].widget.choices = _with_typed(measure_choices.GAINS, self.data.get("gain", ""))

    @property
    def address(self) -> str:
        """All that was asked but for the order of rows: an address that brings the same figures again."""
        return urlencode({name: self.data.get(name, "") for name in self.fields if name != "sort"})

    def clean(self) -> dict[str, object]:
        for name in ("rule", "other"):
            if self.cleaned_data.get(name):
                self._clean_rule(name)
        if "measure" in self.cleaned_data:
            self._clean_measure()
        return self.cleaned_data

    def _clean_measure(self) -> None:
        """The measure with the chosen gain and treatment of unjudged passages."""
        said = self.cleaned_data
        try:
            measure = registry.parse(said["measure"])
            measure = measure_choices.with_gain(measure, said.get("gain", ""))
            said["measure"] = measure_choices.with_unjudged(measure, said.get("unjudged", ""))
            gains.table(_gain(said["measure"]), self.collection.highest_grade)
        except measure_choices.NotTaken as reason:
            self.add_error("measure", str(reason))
        except ValueError as reason:
            self.add_error("measure", f"This measure cannot be used: {reason}.")

    def _clean_rule(self, name: str) -> None:
        consensus = self.cleaned_data.get("consensus", self.collection.consensus)
        try:
            rule = completion.parse(self.cleaned_data[name], consensus)
        except completion.UnknownRule as reason:
            return self.add_error(name, f"This rule cannot be used: {reason}.")
        if missing := set(rule.models).difference(rule_choices.models(self.collection)):
            return self.add_error(name, f"The collection has no model rater named {' or '.join(sorted(missing))}.")
        self.cleaned_data[name] = rule


class SystemForm(LeaderboardForm):
    """One system of a leaderboard, topic by topic; with a topic also its ranking there."""

    system = forms.CharField(widget=forms.HiddenInput)
    topic = forms.CharField(required=False, widget=forms.HiddenInput)
    sort = SortField(TOPIC_COLUMNS)


class AgreementForm(forms.Form):
    """Two raters by their text names."""

    first = forms.CharField(widget=forms.Select)
    second = forms.CharField(label="and", widget=forms.Select)
    over = forms.ChoiceField(label="Intervals over", required=False, choices=[(name, name) for name in OVER])
    sort = SortField(GROUP_COLUMNS)

    def __init__(self, raters: Iterable[NamedRater], address: Mapping[str, str]) -> None:
        super().__init__(address or None)
        choices = [choice for rater in raters for choice in _rater_choices(rater)]
        for name in ("first", "second"):
            self.fields[name].widget.choices = _with_typed(choices, address.get(name, ""))

    @property
    def address(self) -> str:
        """The two raters, and what the intervals are over."""
        return urlencode({name: self.data[name] for name in ("first", "second", "over") if self.data.get(name)})

    def clean_over(self) -> str:
        return self.cleaned_data["over"] or OVER[0]


class PairsForm(forms.Form):
    """The pairs behind a cell: the two raters, and where given both grades and the topic."""

    first = forms.CharField()
    second = forms.CharField()
    first_grade = forms.IntegerField(required=False)
    second_grade = forms.IntegerField(required=False)
    topic = forms.CharField(required=False)
    page = forms.IntegerField(required=False, min_value=1)
    sort = SortField(PAIR_COLUMNS)

    @property
    def address(self) -> str:
        """All that was asked but for the page and the order of rows."""
        names = ("first", "second", "first_grade", "second_grade", "topic")
        return urlencode({name: self.data[name] for name in names if self.data.get(name)})


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


def _gain(measure: Measure) -> str:
    return str(measure.parameters.get("gain", "linear"))

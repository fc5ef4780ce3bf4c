"""What the addresses of the leaderboard say."""

from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from django import forms

from annotate.grades import completed_qrels
from annotate.models import Collection
from annotate.rules import completion
from evaluation.inputs import choices
from evaluation.inputs.choices import MEASURES
from evaluation.measures import registry
from evaluation.measures.registry import Measure
from evaluation.pages.leaderboard import tables
from evaluation.tables.table import sort_names
from evaluation.web import SortedForm, SortField

SYSTEM_SORTS = sort_names(tables.system_columns())
CHANGE_SORTS = [
    *sort_names(tables.CORRELATION_COLUMNS),
    *sort_names(tables.CLASS_COLUMNS),
    *sort_names(tables.pair_columns()),
]
DEEPEST = 1_000_000
NO_CUTOFF = f"The cut-off is a whole number from 1 to {DEEPEST:,}."


class LeaderboardForm(SortedForm):
    """Always bound: what the address leaves out is as usual. A rule or measure that is not offered may be typed."""

    rule = forms.CharField(label="Systems under", widget=forms.Select)
    other = forms.CharField(label="Beside", required=False, widget=forms.Select)
    measure = forms.CharField(widget=forms.Select)
    k = forms.IntegerField(
        label="Cut-off k",
        required=False,
        min_value=1,
        max_value=DEEPEST,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), NO_CUTOFF),
        widget=forms.NumberInput({"placeholder": "as the measure says"}),
    )
    gain = forms.CharField(
        required=False, max_length=200, widget=forms.TextInput({"list": "gains", "placeholder": "as the measure says"})
    )
    unjudged = forms.ChoiceField(label="Unjudged passages are", required=False, choices=choices.UNJUDGED)
    models = forms.ChoiceField(label="Grades of models count", required=False, choices=choices.MODEL_GRADES)
    consensus = forms.ChoiceField(label="Consensus of people", choices=Collection.Consensus)
    find = forms.CharField(label="Find systems or groups", required=False, max_length=200)
    sort = SortField([*SYSTEM_SORTS, *CHANGE_SORTS])
    usual_gains = choices.GAINS

    def __init__(self, collection: Collection, address: Mapping[str, str]) -> None:
        filler, consensus = completed_qrels.usual_model(collection), collection.consensus
        rule = completed_qrels.rule_filled_by(filler, consensus)
        usual = {"rule": str(rule), "measure": MEASURES[0][0], "consensus": consensus}
        if not {"rule", "other"} & address.keys():
            usual["other"] = choices.usual_other_rule(collection, filler)
            if not {"measure", "models"} & address.keys():
                usual["models"] = choices.usual_model_grades(filler)
        super().__init__({**usual, **address})
        self.collection = collection
        rules = choices.list_rules(collection)
        self._offered = {text for text, _ in rules}  # each model alone among them
        self.fields["rule"].widget.choices = choices.with_typed(rules, self.data["rule"])
        self.fields["other"].widget.choices = [("", "nothing"), *choices.with_typed(rules, self.data.get("other", ""))]
        self.fields["measure"].widget.choices = choices.with_typed(MEASURES, self.data["measure"])

    @property
    def with_probabilities(self) -> bool:
        """Of a valid form, whether a model's grades count by their probabilities."""
        return bool(self.cleaned_data["models"] == choices.CHANCES)

    @property
    def with_ranges(self) -> bool:
        """Of a valid form, whether what the holes leave open is shown."""
        return bool(self.cleaned_data["unjudged"] == choices.RANGE)

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
        """The measure with the chosen cut-off, gain and treatment of unjudged passages."""
        asked = self.cleaned_data
        try:
            measure = registry.parse(asked["measure"])
            with_probabilities = asked.get("models") == choices.CHANCES
            measure.check(self.collection.highest_grade, with_probabilities=with_probabilities)
        except ValueError as reason:
            return self.add_error("measure", f"This measure cannot be used: {reason}.")
        highest = self.collection.highest_grade
        chosen: list[tuple[str, Callable[[Measure], Measure]]] = [
            ("k", lambda measure: choices.with_cutoff(measure, asked.get("k"))),
            ("gain", lambda measure: choices.with_gain(measure, asked.get("gain", ""), highest)),
            ("unjudged", lambda measure: choices.with_unjudged(measure, asked.get("unjudged", ""))),
        ]
        for name, choose in chosen:
            try:
                measure = choose(measure)
            except choices.NotTaken as reason:
                self.add_error(name, str(reason))
        asked["measure"] = measure

    def _clean_rule(self, name: str) -> None:
        consensus = self.cleaned_data.get("consensus", self.collection.consensus)
        try:
            rule = completion.parse_rule(self.cleaned_data[name], consensus)
        except completion.UnknownRule as reason:
            return self.add_error(name, f"This rule cannot be used: {reason}.")
        if missing := {name for name in rule.models if completion.MODEL + name not in self._offered}:
            return self.add_error(name, f"The collection has no model rater named {' or '.join(sorted(missing))}.")
        self.cleaned_data[name] = rule


class SystemForm(LeaderboardForm):
    """One system of a leaderboard, topic by topic; with a topic also its ranking there."""

    system = forms.CharField(widget=forms.HiddenInput)
    topic = forms.CharField(required=False, widget=forms.HiddenInput)
    sort = SortField(sort_names(tables.topic_columns()))

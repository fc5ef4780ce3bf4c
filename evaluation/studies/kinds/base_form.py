"""What the forms of all studies have."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django import forms
from django.forms import BoundField
from django.http import QueryDict

from annotate.grades import rankings
from annotate.models import Collection
from evaluation.studies.design import PlanRefused, StudyPlan

SEED_HELP = "The same seed on the same inputs gives the same numbers."
LARGEST_SEED = 2**31 - 1
GAINS = [("linear", "linear, as in trec_eval"), ("exp", "exponential: 2 to the grade, less 1")]


class StudyForm(forms.Form):
    """A kind names its plan and fills `offer`. Fields have the titles and descriptions of the plan's, and what the plan
    refuses stands at the field of the same name. Fields named in `later` are for those who look for them.

    `like` is the plan of an earlier study, with its title: what the form says at first.
    """

    plan: ClassVar[type[StudyPlan]]

    title = forms.CharField(
        max_length=200, required=False, help_text="For the list of studies and for the report; you may leave it empty."
    )
    later: tuple[str, ...] = ()

    def __init__(
        self, collection: Collection, sent: QueryDict | None = None, like: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(sent, initial=self.values_of(like) if like else None)
        self.collection = collection
        for name, of_plan in self.plan.model_fields.items():
            if name in self.fields:
                self.fields[name].label = self.fields[name].label or of_plan.title
                self.fields[name].help_text = self.fields[name].help_text or of_plan.description or ""
        self.offer(collection)

    def offer(self, collection: Collection) -> None:
        """Put in what the collection has to choose from."""

    def plan_json(self) -> dict[str, object]:
        """Of a filled form, the plan as JSON."""
        return {name: value for name, value in self.cleaned_data.items() if name != "title"}

    @staticmethod
    def values_of(plan: Mapping[str, Any]) -> dict[str, Any]:
        """What the fields say where the plan is this one: `plan_json` the other way round."""
        return dict(plan)

    def clean(self) -> None:
        if not self.errors:
            try:
                self.plan.from_json(self.plan_json())
            except PlanRefused as refused:
                self.add_error(refused.field if refused.field in self.fields else None, str(refused))

    def seconds(self) -> float:
        """Of a valid form, about how long one processor needs; drawing the figures takes most of it."""
        return 20.0

    @property
    def time_needed(self) -> str:
        """The same in words."""
        seconds = self.seconds()
        if seconds < 60:
            return "less than a minute"
        return f"about {seconds / 60:.0f} min" if seconds < 5400 else f"about {seconds / 3600:.0f} h"

    def first_fields(self) -> Iterator[BoundField]:
        return (self[name] for name in self.fields if name not in self.later)

    def later_fields(self) -> Iterator[BoundField]:
        return (self[name] for name in self.later)

    @property
    def has_faults_later(self) -> bool:
        return any(name in self.errors for name in self.later)


class SystemsField(forms.MultipleChoiceField):
    """Run tags; none for all systems."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self) -> None:
        super().__init__(label="Systems", required=False, help_text="None ticked: all of them.")


def number_field(plan: type[StudyPlan], name: str, least: int | None = None) -> forms.IntegerField:
    """A whole number of the plan, with its bounds (`least` where a form asks for more) and its usual value."""
    schema, usual = plan.field_schema(name), plan.model_fields[name].default
    return forms.IntegerField(
        required=usual is not None,
        min_value=schema["minimum"] if least is None else least,
        max_value=schema["maximum"] if schema["maximum"] <= LARGEST_SEED else None,
        initial=usual,
    )


def seed_field(plan: type[StudyPlan]) -> forms.IntegerField:
    first = plan.model_fields["seed"].default
    return forms.IntegerField(label="Seed", min_value=0, max_value=LARGEST_SEED, initial=first, help_text=SEED_HELP)


def tags(collection: Collection) -> list[tuple[str, str]]:
    """The runs that rank topics, to be ticked."""
    return [(run.tag, run.tag) for run in rankings.published_runs(collection) if not run.ranks_variants]

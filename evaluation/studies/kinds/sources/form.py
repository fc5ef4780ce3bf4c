from typing import Any

from django import forms

from annotate.models import Collection
from annotate.rules import completion
from evaluation.inputs import choices
from evaluation.inputs.choices import MEASURES
from evaluation.studies.kinds.base_form import StudyForm, resamples_field, seed_field
from evaluation.web import with_typed


class SourcesForm(StudyForm):
    """Whose labels stand beside one another."""

    people = forms.ChoiceField(label="Labels without a model", help_text="All others are compared with these.")
    model = forms.ChoiceField(
        required=False, help_text="Its grades go into the holes, and beside that count for all pairs."
    )
    calibrated = forms.ChoiceField(
        label="Calibrated judge",
        required=False,
        help_text="Its grades go into the holes by their probabilities.",
    )
    model_family = forms.CharField(
        label="Family of the model",
        max_length=100,
        required=False,
        help_text="As the runs name theirs, for instance gpt: a judge may favour runs of its own family.",
    )
    calibrated_family = forms.CharField(
        label="Family of the model behind the calibrated judge", max_length=100, required=False
    )
    with_assessors = forms.BooleanField(label="Also leave each assessor out in turn", required=False, initial=True)
    measure = forms.ChoiceField(choices=MEASURES)
    consensus = forms.ChoiceField(label="Consensus of people", choices=Collection.Consensus)
    resamples = resamples_field()
    seed = seed_field(0)
    later = ("measure", "consensus", "resamples", "seed")

    def offer(self, collection: Collection) -> None:
        models = [("", "none"), *((name, name) for name in choices.list_models(collection))]
        self.fields["people"].choices = without_models(collection)
        self.fields["model"].choices = self.fields["calibrated"].choices = models
        if len(models) > 1:
            self.fields["model"].initial = getattr(collection.suggesting_rater, "name", models[-1][0])
        self.fields["consensus"].initial = collection.consensus

    def plan(self) -> dict[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if name != "title"}


def without_models(collection: Collection) -> list[tuple[str, str]]:
    """The rules of completed qrels that no model has a part in; the usual one first."""
    rules = [(rule, words) for rule, words in choices.list_rules(collection) if completion.MODEL not in rule]
    return with_typed(rules, str(completion.Rule()))

from typing import Any

from django import forms

from annotate.models import Collection
from evaluation.inputs import choices
from evaluation.inputs.choices import MEASURES
from evaluation.studies.kinds.base_form import StudyForm, resamples_field, seed_field
from evaluation.studies.kinds.profiles.plan import Plan


class ProfilesForm(StudyForm):
    """By which grades the systems are scored under the query variants of each profile."""

    before = forms.ChoiceField(label="Grades before holes are filled")
    after = forms.ChoiceField(
        label="Grades after they are filled", required=False, help_text="Missing grades are counted under both."
    )
    variants_as = forms.ChoiceField(
        label="The variants of a topic by one profile",
        choices=[("averaged", "count as their mean"), ("replicates", "count as replicates of one cell")],
    )
    measure = forms.ChoiceField(choices=MEASURES)
    is_by_chances = forms.BooleanField(
        label="Grades of models count by their probabilities",
        required=False,
        initial=Plan().is_by_chances,
        help_text="Where a model gave them and the measure can; unticked, each counts as the grade it is.",
    )
    consensus = forms.ChoiceField(label="Consensus of people", choices=Collection.Consensus)
    resamples = resamples_field()
    seed = seed_field(0)
    later = ("measure", "is_by_chances", "consensus", "resamples", "seed")

    def offer(self, collection: Collection) -> None:
        rules = choices.list_rules(collection)
        self.fields["before"].choices = rules
        self.fields["after"].choices = [("", "only the first"), *rules]
        self.fields["consensus"].initial = collection.consensus

    def plan(self) -> dict[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if name != "title"}

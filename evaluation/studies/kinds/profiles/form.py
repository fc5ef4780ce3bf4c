from django import forms

from annotate.models import Collection
from annotate.web.views import set_choices
from evaluation.inputs import choices
from evaluation.studies.kinds.base_form import StudyForm, number_field, seed_field
from evaluation.studies.kinds.profiles.plan import Plan


class ProfilesForm(StudyForm):
    """By which grades the systems are scored under the query variants of each profile."""

    plan = Plan

    before = forms.ChoiceField()
    after = forms.ChoiceField(required=False)
    variants_as = forms.ChoiceField(
        choices=[("averaged", "count as their mean"), ("replicates", "count as replicates of one cell")]
    )
    measure = forms.ChoiceField(choices=choices.MEASURES)
    is_by_chances = forms.BooleanField(required=False, initial=Plan().is_by_chances)
    consensus = forms.ChoiceField(choices=Collection.Consensus)
    resamples = number_field(Plan, "resamples", least=100)
    seed = seed_field(Plan)
    later = ("measure", "is_by_chances", "consensus", "resamples", "seed")

    def offer(self, collection: Collection) -> None:
        rules = choices.list_rules(collection)
        set_choices(self.fields["before"], rules)
        set_choices(self.fields["after"], [("", "only the first"), *rules])
        self.fields["consensus"].initial = collection.consensus

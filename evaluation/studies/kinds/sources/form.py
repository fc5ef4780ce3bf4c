from django import forms

from annotate.models import Collection
from annotate.rules import completion
from annotate.web.views import set_choices
from evaluation.inputs import choices
from evaluation.studies.kinds.base_form import StudyForm, number_field, seed_field
from evaluation.studies.kinds.sources.plan import Plan


class SourcesForm(StudyForm):
    """Whose labels stand beside one another."""

    plan = Plan

    people = forms.ChoiceField()
    model = forms.ChoiceField(required=False)
    calibrated = forms.ChoiceField(required=False)
    model_family = forms.CharField(max_length=100, required=False)
    calibrated_family = forms.CharField(max_length=100, required=False)
    with_assessors = forms.BooleanField(required=False, initial=True)
    measure = forms.ChoiceField(choices=choices.MEASURES)
    consensus = forms.ChoiceField(choices=Collection.Consensus)
    resamples = number_field(Plan, "resamples", least=100)
    seed = seed_field(Plan)
    later = ("measure", "consensus", "resamples", "seed")

    def offer(self, collection: Collection) -> None:
        models = [("", "none"), *((name, name) for name in choices.list_models(collection))]
        set_choices(self.fields["people"], without_models(collection))
        set_choices(self.fields["model"], models)
        set_choices(self.fields["calibrated"], models)
        if len(models) > 1:
            self.fields["model"].initial = getattr(collection.suggesting_rater, "name", models[-1][0])
        self.fields["consensus"].initial = collection.consensus


def without_models(collection: Collection) -> list[tuple[str, str]]:
    """The rules of completed qrels that no model has a part in; the usual one first."""
    rules = [(rule, words) for rule, words in choices.list_rules(collection) if completion.MODEL not in rule]
    return choices.with_typed(rules, str(completion.Rule()))

"""How influence is asked for."""

from django import forms
from django.http import QueryDict

from annotate.models import Collection
from evaluation.inputs import rule_choices


class InfluenceForm(forms.Form):
    """Whether a model's probabilities weight the influence of holes."""

    weights = forms.ChoiceField(
        label="Weighted by",
        required=False,
        help_text="A model's probabilities make it the expected change. Its order then tells assessors what the model "
        "thinks, so this is refused where anybody grades blind.",
    )

    def __init__(self, collection: Collection, sent: QueryDict | None = None) -> None:
        super().__init__(sent)
        models = [(name, name) for name in rule_choices.models(collection)]
        self.fields["weights"].choices = [("", "nothing: every grade is possible"), *models]

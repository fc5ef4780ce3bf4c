from django import forms
from django.db.models import BigIntegerField

from annotate.formats.records import GradeScale
from annotate.web.views import Data, set_choices


class PoolForm(forms.Form):
    depth = forms.IntegerField(
        min_value=1, max_value=1000, help_text="How many passages of each topic a pooled run brings in."
    )


class HoleDrawForm(forms.Form):
    """How synthetic holes are drawn from the reference rater's grades."""

    fraction = forms.FloatField(
        label="Share to drop",
        min_value=0.0001,
        max_value=1,
        initial=0.5,
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="Above 0 and at most 1: of each chosen grade this share becomes holes, over all topics together.",
    )
    grades = forms.TypedMultipleChoiceField(
        label="Grades to drop from",
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        help_text="Relevant grades only is the recipe of Upadhyay, Kamalloo and Lin (2024); but then being a hole "
        "tells that a passage is relevant. All grades hides that.",
    )
    seed = forms.IntegerField(
        initial=1,
        min_value=-BigIntegerField.MAX_BIGINT - 1,
        max_value=BigIntegerField.MAX_BIGINT,
        help_text="The same seed draws the same holes.",
    )

    def __init__(self, scale: GradeScale, data: Data = None) -> None:
        super().__init__(data)
        set_choices(self.fields["grades"], [(grade, str(grade)) for grade in scale.grades])
        self.fields["grades"].initial = [grade for grade in scale.grades if grade > 0]

from django import forms

from annotate.models import Collection, Rater


class ChosenModelForm(forms.Form):
    """Which model's grades assessors see, in the arms that show one."""

    suggesting_rater = forms.ModelChoiceField(
        label="Model shown to assessors",
        queryset=Rater.objects.none(),
        required=False,
        empty_label="none",
    )

    def __init__(self, collection: Collection, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        models = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).order_by("pk")
        self.fields["suggesting_rater"].queryset = models
        self.fields["suggesting_rater"].initial = collection.suggesting_rater_id

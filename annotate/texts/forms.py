"""Whom of the people is asked about which query variants, and what they say."""

from django import forms
from django.db.models import BigIntegerField

from annotate.models import VariantCheck
from annotate.texts import operations


class FlagForm(forms.Form):
    """What looks wrong, if the person says so."""

    flag_comment = forms.CharField(required=False, max_length=2000)


class BackstoryForm(forms.Form):
    text = forms.CharField(
        label="New version", max_length=20_000, widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"})
    )


class DrawChecksForm(forms.Form):
    per_profile = forms.IntegerField(
        label="Variants of each profile", min_value=1, max_value=100_000, initial=10,
        help_text="A choice that the collection's seed fixes; all of them where there are fewer.",
    )  # fmt: skip
    people = forms.IntegerField(
        label="People for each variant", min_value=1, max_value=operations.MOST_PEOPLE, initial=2,
        help_text="Two, so that their agreement can be told.",
    )  # fmt: skip
    gold = forms.IntegerField(
        label="Gold questions for each person", min_value=0, max_value=100, required=False,
        help_text="Variants beside the query of another topic, mixed in: the answer is known to be “something else”.",
    )  # fmt: skip

    def clean_gold(self) -> int:
        return self.cleaned_data["gold"] or 0


class CheckForm(forms.Form):
    """`first` and `second` are the profiles as they stood before the person."""

    meaning = forms.ChoiceField(
        choices=[("yes", "yes"), ("no", "no")], error_messages={"required": "Say whether the meaning is the same."}
    )
    writer = forms.ChoiceField(choices=VariantCheck.Writer, required=False)
    first = forms.IntegerField(required=False, min_value=1, max_value=BigIntegerField.MAX_BIGINT)
    second = forms.IntegerField(required=False, min_value=1, max_value=BigIntegerField.MAX_BIGINT)
    comment = forms.CharField(required=False, max_length=2000)

    def clean(self) -> dict[str, object]:
        fields: dict[str, object] = super().clean() or {}
        if fields.get("first") and not fields.get("writer"):
            self.add_error("writer", "Say which of the two profiles it was written for, or that either may be.")
        return fields

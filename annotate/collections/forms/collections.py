from django import forms
from django.utils.text import slugify

from annotate.formats.faults import Refused
from annotate.formats.scale import GradeScale


class ScaleField(forms.CharField):
    """A scale as it is written, `0-3`."""

    def clean(self, value: str) -> GradeScale:
        try:
            return GradeScale.parse(super().clean(value).strip())
        except Refused as reason:
            raise forms.ValidationError(f"This is no scale: {reason}.") from None


class ScaleForm(forms.Form):
    scale = ScaleField(label="Grade scale", help_text="Lowest and highest grade, such as 0-3 or 0-2, up to 10.")


class NewCollectionForm(forms.Form):
    """Title, short name, scale and description; the short name is made from the title where it is left empty."""

    title = forms.CharField(max_length=200, help_text="What people read, for instance TREC DL 2019 passages.")
    slug = forms.CharField(
        label="Short name",
        max_length=80,
        required=False,
        help_text="Part of every address and the name in commands: small letters, digits and hyphens. "
        "Left empty, it is made from the title.",
    )
    scale = ScaleField(
        label="Grade scale",
        initial="0-3",
        help_text="Lowest and highest grade, such as 0-3 or 0-2, up to 10. It stays once the first grade is stored.",
    )
    description = forms.CharField(
        required=False, max_length=5000, widget=forms.Textarea(attrs={"rows": 4}), help_text="For researchers."
    )

    def clean(self) -> None:
        title, slug = self.cleaned_data.get("title", ""), self.cleaned_data.get("slug", "")
        self.cleaned_data["slug"] = slug or slugify(title)[:80].strip("-")
        if title and not self.cleaned_data["slug"]:
            self.add_error("slug", "No short name can be made from this title: write one.")

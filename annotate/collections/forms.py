"""Forms of collections: making one, its scale and guidelines, its people and invitations."""

from collections.abc import Iterator, Sequence

from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.forms import BoundField
from django.utils.text import slugify

from annotate.formats.faults import Refused
from annotate.formats.records import GradeScale
from annotate.models import Membership, User
from annotate.web.views import Data, Initial


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


class GuidelinesForm(forms.Form):
    """What assessors read before they judge: a text, and for each grade of the scale a name and a description."""

    text = forms.CharField(
        label="Guidelines",
        required=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 14}),
        help_text="Markdown: # heading, **bold**, - list, > quotation. HTML is shown as it is typed.",
    )

    def __init__(self, grade_words: Sequence[dict[str, object]], data: Data = None, *, initial: Initial = None) -> None:
        """`grade_words` as the newest version has them; they are what the fields start with."""
        super().__init__(data, initial=initial)
        self.grades = [int(str(word["grade"])) for word in grade_words]
        for word in grade_words:
            grade = word["grade"]
            self.fields[f"name_{grade}"] = forms.CharField(
                label=f"Name of grade {grade}", max_length=60, initial=word["name"]
            )
            self.fields[f"description_{grade}"] = forms.CharField(
                label=f"What grade {grade} means",
                max_length=500,
                required=False,
                initial=word["description"],
                widget=forms.Textarea(attrs={"rows": 2}),
            )

    def grade_fields(self) -> Iterator[tuple[int, BoundField, BoundField]]:
        for grade in self.grades:
            yield grade, self[f"name_{grade}"], self[f"description_{grade}"]

    def grade_words(self) -> list[dict[str, object]]:
        """The words that were sent, as guidelines store them."""
        return [
            {
                "grade": grade,
                "name": self.cleaned_data[f"name_{grade}"],
                "description": self.cleaned_data[f"description_{grade}"],
            }
            for grade in self.grades
        ]


class PersonForm(forms.Form):
    username = forms.CharField(
        label="User name",
        max_length=150,
        help_text="Somebody new gets an account with a first password, which you see once.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    role = forms.ChoiceField(
        choices=[
            (Membership.Role.ASSESSOR, "assessor: judges pairs"),
            (Membership.Role.ADJUDICATOR, "adjudicator: decides pairs that people disagree about"),
            (Membership.Role.RESEARCHER, "researcher: sets up, sees and exports everything"),
        ],
        initial=Membership.Role.ASSESSOR,
        widget=forms.RadioSelect,
    )


class InvitationForm(forms.Form):
    places = forms.IntegerField(
        label="People", initial=1, min_value=1, max_value=500, help_text="How many may come by it."
    )
    days = forms.IntegerField(label="Days", initial=14, min_value=1, max_value=365, help_text="Then it ends by itself.")


class AccountForm(UserCreationForm):  # type: ignore[type-arg]  # generic in the stubs only
    """Name and password of somebody new."""

    class Meta:
        model = User
        fields = ["username"]

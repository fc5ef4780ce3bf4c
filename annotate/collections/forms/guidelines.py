from collections.abc import Iterator, Sequence

from django import forms
from django.forms import BoundField


class GuidelinesForm(forms.Form):
    """What assessors are told: a text, and for each grade of the scale a name and a description."""

    text = forms.CharField(
        label="Guidelines",
        required=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 14}),
        help_text="Markdown: # heading, **bold**, - list, > quotation. HTML is shown as it is typed.",
    )

    def __init__(self, grade_words: Sequence[dict[str, object]], *args: object, **kwargs: object) -> None:
        """`grade_words` as the newest version has them; they are what the fields start with."""
        super().__init__(*args, **kwargs)
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

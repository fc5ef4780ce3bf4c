"""Which version of Lacuna's own judge is looked at."""

from collections.abc import Iterable, Mapping

from django import forms

from annotate.models import Rater


class CalibrationForm(forms.Form):
    """Always bound: without a choice the newest version."""

    rater = forms.ChoiceField(label="Version")

    def __init__(self, versions: Iterable[Rater], address: Mapping[str, str]) -> None:
        names = [version.name for version in versions]
        super().__init__({"rater": address.get("rater") or next(iter(names), "")})
        self.fields["rater"].choices = [(name, name) for name in names]
        self.fields["rater"].error_messages["invalid_choice"] = "No version of Lacuna's own judge is called so."

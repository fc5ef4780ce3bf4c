"""An adjudicator's decision as the page and the API send it."""

from dataclasses import asdict

from django import forms
from django.core import signing

from annotate.adjudication import queries
from annotate.adjudication.operations import Decision
from annotate.adjudication.queries import Shown
from annotate.formats.records import GradeScale
from annotate.models import Collection, Pair
from annotate.web.views import Data

NOBODY = "none"
LONGEST_REASON = 2000
# A key each, so that grade and reason are two keys; no letter means anything else on the page.
PRESETS = (
    ("q", "The guidelines say so."),
    ("w", "The majority is right."),
    ("e", "Meets the need in part."),
    ("r", "Somebody misread it."),
)
KINDS = (
    (queries.ALL, "all"),
    (queries.UNRESOLVED, "unresolved"),
    (queries.DIFFERENT, "different grades"),
    (queries.FLAGGED, "new evidence"),
)


class NotShown(ValueError):
    """What was shown is of another pair, or was not sealed here."""


def seal(pair: Pair, shown: Shown) -> str:
    """What stood before the adjudicator, as text that goes out with the pair and comes back with the decision."""
    return signing.dumps([pair.pk, asdict(shown)], salt=__name__)


def unseal(text: str) -> tuple[int, Shown]:
    """The row id of the pair, and what was shown of it. Raises NotShown."""
    try:
        pair_id, shown = signing.loads(text, salt=__name__)
        return pair_id, Shown(**shown)
    except (signing.BadSignature, TypeError, ValueError):
        raise NotShown("Send what came with the pair in `shown`, unchanged.") from None


class DecisionForm(forms.Form):
    """A grade of the scale or NOBODY, and a reason: one of the usual ones, words of one's own, or both."""

    key = forms.UUIDField()
    shown = forms.CharField()
    grade = forms.CharField(required=False)
    preset = forms.ChoiceField(required=False, choices=[(words, words) for _, words in PRESETS])
    reason = forms.CharField(required=False, max_length=LONGEST_REASON)
    presets = PRESETS

    def __init__(self, data: Data = None, *, scale: GradeScale) -> None:
        super().__init__(data)
        self.scale = scale

    def clean_grade(self) -> int | None:
        text = self.cleaned_data["grade"]
        if text == NOBODY:
            return None
        if text not in [str(grade) for grade in self.scale.grades]:
            raise forms.ValidationError(
                f"Choose a grade from {self.scale.low} to {self.scale.high}, or say that nobody can judge this pair."
            )
        return int(text)

    def clean_shown(self) -> tuple[int, Shown]:
        try:
            return unseal(self.cleaned_data["shown"])
        except NotShown:
            raise forms.ValidationError("This page is too old: open the pair again.") from None

    def clean(self) -> dict[str, object]:
        super().clean()
        data = self.cleaned_data
        if not self.errors.get("reason") and not (data.get("preset") or data.get("reason")):
            self.add_error("reason", "Say why: choose a reason, or write one.")
        return data

    def decision(self) -> Decision:
        data = self.cleaned_data
        return Decision(data["grade"], " ".join(filter(None, [data["preset"], data["reason"]])))


class QueueForm(forms.Form):
    """Which pairs are gone through, and behind which one the next is looked for."""

    show = forms.ChoiceField(required=False, choices=KINDS)
    after = forms.IntegerField(required=False)


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    class Meta:
        model = Collection
        fields = ["shows_names_to_adjudicators", "shows_suggestions_to_adjudicators"]
        labels = {
            "shows_names_to_adjudicators": "Names of assessors",
            "shows_suggestions_to_adjudicators": "The chosen model's suggestion",
        }
        help_texts = {
            "shows_names_to_adjudicators": "Without it assessors are A, B … anew on each pair, which keeps a decision "
            "from following a person.",
            "shows_suggestions_to_adjudicators": "A decision made with it in view is no evidence about the model; "
            "whether it was in view is stored with each decision.",
        }

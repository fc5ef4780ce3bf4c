from typing import Any

from django import forms

from annotate.models import Collection, PairDraw
from evaluation.studies.kinds.base_form import StudyForm, seed_field
from evaluation.studies.kinds.mixed import plan as mixed_plan
from evaluation.studies.kinds.mixed.plan import BOUNDS, REFUSE, Plan

GAINS = [("linear", "linear, as in trec_eval"), ("exp", "exponential: 2 to the grade, less 1")]


class MixedForm(StudyForm):
    """Which sample carries the intervals, and how."""

    draw = forms.TypedChoiceField(label="Sample", coerce=int)
    method = forms.ChoiceField(choices=list(mixed_plan.VALID_METHODS.items()))
    unanswered = forms.ChoiceField(
        label="Where sampled pairs have no grade of people",
        choices=[
            (REFUSE, "give no interval"),
            (BOUNDS, "widen it to what holds whatever these grades are"),
        ],
    )
    rounds = forms.IntegerField(
        label="Rounds that count",
        required=False,
        min_value=2,
        help_text="Only if it was fixed before judging that it would end after so many pairs of each topic.",
    )
    gain = forms.ChoiceField(choices=GAINS)
    folds = forms.IntegerField(
        min_value=2, max_value=20, initial=Plan().folds, help_text="Of the calibrated judge alone."
    )
    seed = seed_field(Plan().seed)
    later = ("rounds", "gain", "folds", "seed")

    def offer(self, collection: Collection) -> None:
        draws = PairDraw.objects.filter(collection=collection, kind=PairDraw.Kind.SAMPLE).order_by("-pk")
        self.fields["draw"].choices = [(draw.pk, _words(draw)) for draw in draws]

    def plan(self) -> dict[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if name != "title"}


def _words(draw: PairDraw) -> str:
    state = "in force" if draw.ended_at is None else f"ended {draw.ended_at:%Y-%m-%d}"
    return f"{draw.size:,} pairs, drawn {draw.created_at:%Y-%m-%d}, seed {draw.seed}, {state}"

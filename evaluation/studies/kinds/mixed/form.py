from django import forms

from annotate.models import Collection, PairDraw
from annotate.web.views import set_choices
from evaluation.studies.kinds.base_form import GAINS, StudyForm, number_field, seed_field
from evaluation.studies.kinds.mixed.plan import BOUNDS, REFUSE, VALID_METHODS, Plan


class MixedForm(StudyForm):
    """Which sample carries the intervals, and how."""

    plan = Plan

    draw = forms.TypedChoiceField(coerce=int)
    method = forms.ChoiceField(choices=list(VALID_METHODS.items()))
    unanswered = forms.ChoiceField(
        choices=[(REFUSE, "give no interval"), (BOUNDS, "widen it to what holds whatever these grades are")]
    )
    rounds = number_field(Plan, "rounds")
    gain = forms.ChoiceField(choices=GAINS)
    folds = number_field(Plan, "folds")
    seed = seed_field(Plan)
    later = ("rounds", "gain", "folds", "seed")

    def offer(self, collection: Collection) -> None:
        draws = PairDraw.objects.filter(collection=collection, kind=PairDraw.Kind.SAMPLE).order_by("-pk")
        set_choices(self.fields["draw"], [(draw.pk, _words(draw)) for draw in draws])


def _words(draw: PairDraw) -> str:
    state = "in force" if draw.ended_at is None else f"ended {draw.ended_at:%Y-%m-%d}"
    return f"{draw.size:,} pairs, drawn {draw.created_at:%Y-%m-%d}, seed {draw.seed}, {state}"

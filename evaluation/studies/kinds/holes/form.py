from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from annotate.grades import model_raters
from annotate.models import Collection
from annotate.web.views import set_choices
from evaluation.inputs import choices, raters
from evaluation.studies.kinds.base_form import GAINS, StudyForm, SystemsField, number_field, seed_field, tags
from evaluation.studies.kinds.holes import plan as holes_plan
from evaluation.studies.kinds.holes.plan import Plan

USUAL = Plan()
# Seconds on one processor: of a draw of holes with all fillers of labels, and for each 1,000 graded pairs of a judge
# that learns anew, and of the index of texts that all judges share.
DRAW, JUDGE, INDEX = 0.002, 0.15, 5.0
OTHERS = (holes_plan.CONDENSED, holes_plan.BPREF, holes_plan.LEARNED)


def _listed(fractions: Iterable[float]) -> str:
    return ", ".join(f"{fraction:g}" for fraction in fractions)


class HolesForm(StudyForm):
    """Which grades are taken away, and what is put in their place."""

    plan = Plan

    reference = forms.ChoiceField()
    holes = forms.MultipleChoiceField(
        label="Which of them",
        required=False,
        choices=[(name, words) for name, words in (holes_plan.OF_FRACTIONS | holes_plan.LEAVE_OUT).items()],
        initial=USUAL.holes,
        widget=forms.CheckboxSelectMultiple,
        help_text="Where only relevant grades go, being a hole already says that a passage is relevant.",
    )
    pool_depth = forms.IntegerField(
        label="Or a shallower pool",
        required=False,
        min_value=1,
        max_value=1000,
        help_text="Grades go that no system has among so many of its first passages.",
    )
    models = forms.MultipleChoiceField(
        label="Models that fill the holes",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Constants, random grades and none are always drawn beside them. Own judges (learned, calibrated) "
        "saw the grades that go: below are those that are taught anew in each trial.",
    )
    calibrated = forms.MultipleChoiceField(
        label="Models whose grades are calibrated by what remains",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Trained anew in each trial, which takes its time.",
    )
    others = forms.MultipleChoiceField(
        label="Beside them",
        required=False,
        choices=[(name, holes_plan.FILLER_WORDS[name]) for name in OTHERS],
        initial=USUAL.fillers,
        widget=forms.CheckboxSelectMultiple,
    )
    trials = number_field(Plan, "trials")
    fractions = forms.CharField(
        initial=_listed(USUAL.fractions), help_text="Numbers between 0 and 1, with commas between them."
    )
    seed = seed_field(Plan)
    gain = forms.ChoiceField(choices=GAINS)
    depth = number_field(Plan, "depth")
    level = forms.FloatField(initial=USUAL.level)
    systems = SystemsField()
    later = ("fractions", "seed", "gain", "depth", "level", "systems")

    def offer(self, collection: Collection) -> None:
        models = [(name, name) for name in choices.list_models(collection)]
        listed = [rater for rater in raters.list_raters(collection) if rater.kind is not raters.Kind.MODEL]
        set_choices(self.fields["reference"], [(rater.name, f"{rater.name} ({rater.kind.value})") for rater in listed])
        set_choices(self.fields["models"], models)
        taught = set(model_raters.list_versions(collection).values_list("name", flat=True))
        self.fields["models"].initial = [name for name, _ in models if name not in taught]
        set_choices(self.fields["calibrated"], models)
        set_choices(self.fields["systems"], tags(collection))
        if not models:
            del self.fields["models"], self.fields["calibrated"]

    def clean_fractions(self) -> list[float]:
        try:
            return [float(part) for part in self.cleaned_data["fractions"].split(",")]
        except ValueError:
            raise forms.ValidationError("Shares are numbers with commas between them: 0.1, 0.5, 0.9.") from None

    @staticmethod
    def values_of(plan: Mapping[str, Any]) -> dict[str, Any]:
        holes = [holes_plan.parse_pattern(text) for text in plan["holes"]]
        filled = [holes_plan.parse_filler(text) for text in plan["fillers"]]
        return {
            **plan,
            "holes": [pattern.text for pattern in holes if pattern.kind != holes_plan.DEPTH],
            "fractions": _listed(plan["fractions"]),
            "pool_depth": next((pattern.depth for pattern in holes if pattern.kind == holes_plan.DEPTH), None),
            "models": [filler.name for filler in filled if filler.kind == holes_plan.MODEL],
            "calibrated": [filler.name for filler in filled if filler.kind == holes_plan.CALIBRATED],
            "others": [filler.text for filler in filled if filler.kind in OTHERS],
        }

    def seconds(self) -> float:
        cleaned, holes = self.cleaned_data, set(self.cleaned_data["holes"])
        shares = len(cleaned["fractions"]) * len(holes & holes_plan.OF_FRACTIONS.keys())
        kinds = shares + len(holes & holes_plan.LEAVE_OUT.keys())
        draws: int = cleaned["trials"] * kinds + bool(cleaned["pool_depth"])
        judges = len(cleaned.get("calibrated", ())) + (holes_plan.LEARNED in cleaned["others"])
        thousands = self.collection.pairs.count() / 1000
        return super().seconds() + draws * DRAW + thousands * (draws * judges * JUDGE + bool(judges) * INDEX)

    def plan_json(self) -> dict[str, object]:
        cleaned = self.cleaned_data
        depth = [f"{holes_plan.DEPTH}:{cleaned['pool_depth']}"] if cleaned["pool_depth"] else []
        filled = [f"{holes_plan.MODEL}:{name}" for name in cleaned.get("models", ())]
        filled += [f"{holes_plan.CALIBRATED}:{name}" for name in cleaned.get("calibrated", ())]
        plain = ("reference", "fractions", "trials", "seed", "gain", "depth", "level", "systems")
        return {
            **{name: cleaned[name] for name in plain},
            "holes": [*cleaned["holes"], *depth],
            "fillers": [*filled, *cleaned["others"]],
        }

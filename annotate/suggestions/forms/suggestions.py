from django import forms

from annotate.grades import model_raters
from annotate.models import Collection, Rater
from annotate.web.forms import Data, set_rows

MOST_GRADES = 10_000
LOOK = "look"
CARRY_OVER = [
    (LOOK, "look whether models see other passages in the holes; if so, their grades stand as they are"),
    ("yes", "yes, also where the holes look different"),
    ("no", "no: models' grades stand as they are"),
]
MAY_CARRY_OVER = {"": None, LOOK: None, "yes": True, "no": False}


class ChosenModelForm(forms.Form):
    """Which model's grades assessors see, in the arms that show one."""

    suggesting_rater = forms.ModelChoiceField(
        label="Model shown to assessors", queryset=Rater.objects.none(), required=False, empty_label="none"
    )

    def __init__(self, collection: Collection, data: Data = None) -> None:
        super().__init__(data)
        models = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).order_by("pk")
        set_rows(self.fields["suggesting_rater"], models)
        self.fields["suggesting_rater"].initial = collection.suggesting_rater_id


class OwnJudgeForm(forms.Form):
    """What a new version of Lacuna's own judge learns from beside the judged pairs."""

    models = forms.ModelMultipleChoiceField(
        label="Calibrated on what these models say",
        queryset=Rater.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="None: from text alone (the learned judge).",
    )
    carry_over = forms.ChoiceField(
        label="What judged pairs teach holds for the holes",
        choices=CARRY_OVER,
        widget=forms.RadioSelect,
        initial=LOOK,
        required=False,
    )

    def __init__(self, collection: Collection, data: Data = None) -> None:
        super().__init__(data)
        set_rows(self.fields["models"], model_raters.list_teachers(collection))

    @property
    def recipe(self) -> tuple[list[Rater], bool | None]:
        """Of a valid form: the models, and whether what judged pairs teach holds for the holes."""
        return list(self.cleaned_data["models"]), MAY_CARRY_OVER[self.cleaned_data["carry_over"]]


class SuccessorsForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """When Lacuna's own judges are trained again without anybody asking."""

    class Meta:
        model = Collection
        fields = ["calibrates_models", "retrains_after", "suggests_newest"]
        labels = {
            "calibrates_models": "Calibrate a language model once its answers are there",
            "retrains_after": "New grades until the next version",
            "suggests_newest": "Assessors see the newest version",
        }
        help_texts = {
            "calibrates_models": "After its batch, or the import of a file with its grades alone. Where ten pairs are "
            "judged and it graded holes.",
            "retrains_after": "Of the newest version, in the background. 0: never. At least one for twenty known ones.",
            "suggests_newest": "Where they see a version of Lacuna's own judge. A study needs one that stays the same.",
        }

    def __init__(self, data: Data = None, *, instance: Collection) -> None:
        super().__init__(data, instance=instance)
        self.fields["retrains_after"].widget.attrs["max"] = MOST_GRADES

    def clean_retrains_after(self) -> int:
        after: int = self.cleaned_data["retrains_after"]
        if after > MOST_GRADES:
            raise forms.ValidationError(f"At most {MOST_GRADES:,}.")
        return after

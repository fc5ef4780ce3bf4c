"""A prompt or profile of one's own."""

from django import forms

from annotate.grades import model_raters
from annotate.llm.answers import GradePlace
from annotate.llm.prompts import ProfileText, Template
from annotate.models import Collection, Profile, Prompt, Rater
from annotate.suggestions.operations.prompts import Kept
from annotate.web.views import Data, Initial, set_rows

Purpose = Prompt.Purpose


class PromptForm(forms.Form):
    """What every prompt has. A form of a purpose adds to it and says what may stand in its parts."""

    name = forms.RegexField(
        r"^[\w][\w .-]*$", max_length=40, help_text="The same name again makes a new version; an earlier one stays."
    )
    fixed = forms.CharField(
        required=False, strip=False, max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false"}),
    )  # fmt: skip
    text = forms.CharField(
        strip=False, max_length=50_000, widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"})
    )
    is_fenced = forms.BooleanField(
        required=False, initial=True, label="Put texts between marks that they cannot close",
        help_text="Off only to use a published prompt word for word: a text may then speak to the model.",
    )  # fmt: skip

    purpose = ""
    parts = ("", "")
    helps = ("", "")

    @property
    def kept(self) -> Kept:
        """Of a valid form. Raises prompts.BadPrompt for an answer form that is none."""
        return Kept(Purpose(self.purpose), self.template, is_fenced=self.cleaned_data["is_fenced"])

    @property
    def template(self) -> Template:
        return Template(*(self.cleaned_data[name].replace("\r\n", "\n") for name in ("fixed", "text")))

    def __init__(self, data: Data = None, *, initial: Initial = None) -> None:
        super().__init__(data, initial=initial)
        for name, label, words in zip(("fixed", "text"), self.parts, self.helps, strict=True):
            self.fields[name].label, self.fields[name].help_text = label, words


KINDS = GradePlace.Kind
ANSWER_FORMS = [
    (KINDS.NUMBER, "the number alone"),
    (KINDS.LAST_LINE, "the number on the last line, after a reason"),
    (KINDS.MARK, "the number after named words, on the last line"),
    (KINDS.JSON, "a field of a JSON object"),
    (KINDS.STRUCTURED, "structured output: the service holds the answer to a JSON schema with a reason and the grade"),
]


class AnswerFormForm(forms.Form):
    """Where answers hold their grade."""

    answer_kind = forms.ChoiceField(
        label="Answer form", choices=ANSWER_FORMS,
        help_text="Where the answers hold their grade. A number that stands elsewhere is never taken for one.",
    )  # fmt: skip
    answer_names = forms.CharField(
        label="Words before the number, or field", required=False, max_length=180,
        help_text="Final grade | Final score: either of them. result.O: the field O inside the field result.",
    )  # fmt: skip

    @property
    def answer_form(self) -> str:
        """Of a valid form, as GradePlace parses it."""
        given = self.cleaned_data
        return ": ".join(part for part in (given["answer_kind"], given["answer_names"].strip()) if part)


class JudgingPromptForm(AnswerFormForm, PromptForm):
    example = forms.CharField(
        label="A worked example", required=False, strip=False, max_length=5000,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text="How each one is shown where {examples} stands: {need} (or {query}, {backstory}), {passage} and "
        "{grade}. Leave empty for the need, the passage and the grade as the answer ends with it.",
    )  # fmt: skip

    purpose = Purpose.JUDGING
    parts = ("The same for all pairs", "For each pair")
    helps = (
        "The system part: services keep it in a cache. {grades} {guidelines} {examples} {answer} stand for the scale's "
        "words, the guidelines, worked examples, and how to answer.",
        "{passage}, and {need} for what is graded against, or {query} and {backstory} apart.",
    )

    @property
    def kept(self) -> Kept:
        example = self.cleaned_data["example"].replace("\r\n", "\n").strip()
        return Kept.grading(self.template, self.answer_form, example, is_fenced=self.cleaned_data["is_fenced"])


class BackstoryPromptForm(PromptForm):
    purpose = Purpose.BACKSTORY
    parts = ("The same for all topics", "For each topic")
    helps = (
        "The system part. The answer has to be the backstory alone, one paragraph of at most 2,000 characters: ask for "
        "that.",
        "{query}, and {avoid} where the words shall be named that came back from the query, once it is asked again.",
    )


class VariantsPromptForm(PromptForm):
    purpose = Purpose.VARIANTS
    parts = ("The same for all topics and profiles", "For each topic and profile")
    helps = (
        "The system part. The answer has to be a JSON array of strings and nothing else: ask for that.",
        "{query}, and of the profile {profile} (who they are) or {factors} (what shapes their queries). {backstory} is "
        "the need, {number} says “3 wordings”, {avoid} names wordings that are there, once it is asked again.",
    )


FORMS: dict[str, type[PromptForm]] = {
    form.purpose: form for form in (JudgingPromptForm, BackstoryPromptForm, VariantsPromptForm)
}


class ProfileForm(forms.Form):
    name = forms.CharField(max_length=60, help_text="The same name again makes a new version; an earlier one stays.")
    group = forms.ChoiceField(choices=Profile.Group, initial=Profile.Group.OTHER)
    background = forms.CharField(
        max_length=5000, widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text="Who they are; or, of a textual change, what is done to the query.",
    )  # fmt: skip
    factors = forms.CharField(
        required=False, max_length=5000, widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text="What shapes their queries: vocabulary, length, tone, device.",
    )  # fmt: skip

    def profile(self) -> ProfileText:
        return ProfileText(**self.cleaned_data)


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

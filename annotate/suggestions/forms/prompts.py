"""A prompt or profile of one's own."""

from django import forms

from annotate.llm.prompts import ProfileText
from annotate.models import Profile, Prompt
from annotate.web.forms import Data, Initial

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

    def __init__(self, data: Data = None, *, initial: Initial = None) -> None:
        super().__init__(data, initial=initial)
        for name, label, words in zip(("fixed", "text"), self.parts, self.helps, strict=True):
            self.fields[name].label, self.fields[name].help_text = label, words


class JudgingPromptForm(PromptForm):
    form = forms.ChoiceField(label="Answer", choices=Prompt.Form)

    purpose = Purpose.JUDGING
    parts = ("The same for all pairs", "For each pair")
    helps = (
        "The system part: services keep it in a cache. {grades} {guidelines} {examples} {answer} stand for the scale's "
        "words, the guidelines, worked examples, and how to answer.",
        "{passage}, and {need} for what is graded against, or {query} and {backstory} apart.",
    )


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

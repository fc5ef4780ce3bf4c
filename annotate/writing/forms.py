"""What a model is to write, whom to ask, and for how much at most."""

from decimal import Decimal

from django import forms

from annotate.backstories import queries as backstories_queries
from annotate.llm import prompts as llm_prompts
from annotate.llm import providers
from annotate.llm.prompts import ProfileText
from annotate.models import Batch, Collection, Profile
from annotate.suggestions.forms import prompts
from annotate.suggestions.operations import asking
from annotate.variants.rules import USUAL_TEMPERATURE
from annotate.web.forms import Data, Initial, set_choices
from annotate.writing.operations import writing, writing_backstories
from annotate.writing.operations.writing import TextsPlan


class WritingForm(forms.Form):
    """What both kinds of texts need. A form of a kind adds its own fields and says the wish."""

    service = forms.ChoiceField(choices=providers.list_choices)
    model = forms.CharField(
        max_length=100, help_text="As the service calls it, for instance claude-haiku-4-5 or gpt-4o."
    )
    prompt = forms.ChoiceField()
    budget = forms.DecimalField(
        label="Budget in US dollars", required=False, min_value=Decimal("0.01"), max_digits=10, decimal_places=2,
        help_text="The batch stops before it could be passed. Empty: no budget of ours.",
    )  # fmt: skip
    rounds = forms.IntegerField(
        label="Answers for one text at most", min_value=1, max_value=writing.MOST_ROUNDS, initial=3,
        help_text="It is asked again while what came back is not good enough.",
    )  # fmt: skip
    temperature = forms.FloatField(required=False, min_value=0, max_value=2, help_text="Empty: the service's own.")
    concurrency = forms.IntegerField(
        label="Calls under way at once", min_value=1, max_value=asking.MOST_CONCURRENT, initial=8
    )
    per_minute = forms.IntegerField(
        label="Calls a minute at most", min_value=0, max_value=100_000, initial=0, help_text="0: no limit of ours."
    )

    purpose = ""
    particular: tuple[str, ...] = ()

    def __init__(
        self,
        collection: Collection,
        data: Data = None,
        *,
        initial: Initial = None,
    ) -> None:
        super().__init__(data, initial=initial)
        set_choices(self.fields["prompt"], prompts.prompt_choices(collection, self.prompt_purpose))

    @property
    def prompt_purpose(self) -> str:
        return writing.PROMPTS[Batch.Purpose(self.purpose)]

    @property
    def particular_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.particular]

    def wish(self, **said: object) -> TextsPlan:
        return TextsPlan(purpose=self.purpose, **{**self.cleaned_data, **said})


class BackstoriesForm(WritingForm):
    scope = forms.ChoiceField(
        label="Topics",
        choices=[
            (writing_backstories.MISSING, "those that have neither a backstory nor a draft of one"),
            (writing_backstories.EVERY, "all of them: what is in force stays until a new draft is approved"),
        ],
    )
    bound = forms.FloatField(
        label="Share of the query's words that a text may repeat", min_value=0, max_value=1,
        initial=backstories_queries.MOST_OVERLAP,
        help_text="Above it, the model is asked again; the best text is kept.",
    )  # fmt: skip

    purpose = Batch.Purpose.BACKSTORIES
    particular = ("scope", "bound")


class VariantsForm(WritingForm):
    profiles = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)
    number = forms.IntegerField(
        label="Variants of each profile", min_value=1, max_value=writing.MOST_NUMBER, initial=3,
        help_text="For each topic. What is there already counts.",
    )  # fmt: skip
    temperature = forms.FloatField(
        min_value=0, max_value=2, initial=USUAL_TEMPERATURE,
        help_text="1 unless you have a reason: below it, wordings repeat each other.",
    )  # fmt: skip

    purpose = Batch.Purpose.VARIANTS
    particular = ("number", "temperature")

    def __init__(
        self,
        collection: Collection,
        data: Data = None,
        *,
        initial: Initial = None,
    ) -> None:
        super().__init__(collection, data, initial=initial)
        own = Profile.objects.filter(collection=collection, is_own=True, is_current=True).exclude(background="")
        names = [*llm_prompts.built_in_profiles(), *own.order_by("name").values_list("name", flat=True)]
        set_choices(self.fields["profiles"], [(name, name) for name in names])
        self.fields["profiles"].initial = list(llm_prompts.built_in_profiles())


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

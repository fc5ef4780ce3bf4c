"""Which model to ask about which pairs, how, and for how much at most."""

from decimal import Decimal

from django import forms

from annotate.llm import providers
from annotate.llm.grade_requests import Against
from annotate.models import Collection, Prompt
from annotate.suggestions.forms import prompts
from annotate.suggestions.operations import asking
from annotate.suggestions.operations.asking import GradesPlan
from annotate.suggestions.rules import ANY, TOPIC
from annotate.web.forms import Data, Initial, set_choices

AGAINST = [
    (Against.QUERY, "the query"),
    (Against.BACKSTORY, "the backstory"),
    (Against.BOTH, "the backstory and the query"),
]
SCOPES = [
    (asking.POOL, "all pooled pairs: the calibrated judge learns from the judged ones where the model errs"),
    (asking.HOLES, "holes only"),
    (asking.JUDGED, "judged pairs only: compares prompts before money is spent on the holes"),
]
BUILT_IN = prompts.BUILT_IN


class AskForm(forms.Form):
    service = forms.ChoiceField(choices=providers.list_choices)
    model = forms.CharField(
        max_length=100, help_text="As the service calls it, for instance claude-haiku-4-5 or gpt-4o."
    )
    prompt = forms.ChoiceField()
    against = forms.ChoiceField(label="Graded against", choices=AGAINST)
    scope = forms.ChoiceField(label="Pairs", choices=SCOPES)
    limit = forms.IntegerField(
        required=False, min_value=1, help_text="Empty: all of them. Else a seeded choice of so many."
    )
    samples = forms.IntegerField(
        label="Answers for each pair", min_value=1, max_value=asking.MOST_SAMPLES, initial=1,
        help_text="The first one counts; several show how sure the model is.",
    )  # fmt: skip
    examples = forms.IntegerField(
        label="Worked examples of each grade", min_value=0, max_value=10, initial=0,
        help_text="Judged pairs shown with their grade; never a hole, never the pair itself.",
    )  # fmt: skip
    examples_from = forms.ChoiceField(
        label="Examples come from",
        choices=[(ANY, "any topic"), (TOPIC, "the pair's own topic: tells the model its assessor")],
    )
    temperature = forms.FloatField(required=False, min_value=0, max_value=2, help_text="Empty: the service's own.")
    is_structured = forms.BooleanField(
        required=False, label="Hold the answer to a JSON schema", help_text="Where the model can."
    )
    is_batched = forms.BooleanField(
        required=False, label="By the service's own batches", help_text="Half the price, answers within a day."
    )
    concurrency = forms.IntegerField(
        label="Calls under way at once", min_value=1, max_value=asking.MOST_CONCURRENT, initial=8
    )
    per_minute = forms.IntegerField(
        label="Calls a minute at most", min_value=0, max_value=100_000, initial=0, help_text="0: no limit of ours."
    )
    budget = forms.DecimalField(
        label="Budget in US dollars", required=False, min_value=Decimal("0.01"), max_digits=10, decimal_places=2,
        help_text="The batch stops before it could be passed. Empty: no budget of ours.",
    )  # fmt: skip

    def __init__(
        self,
        collection: Collection,
        data: Data = None,
        *,
        initial: Initial = None,
    ) -> None:
        super().__init__(data, initial=initial)
        set_choices(self.fields["prompt"], prompts.prompt_choices(collection, Prompt.Purpose.JUDGING))

    def wish(self, prompt: Prompt) -> GradesPlan:
        said = {name: value for name, value in self.cleaned_data.items() if name != "prompt"}
        return GradesPlan(prompt=prompt, **{**said, "against": Against(said["against"])})


LEFT_OUT = ("against", "samples", "examples", "examples_from", "is_batched", "is_structured")


class CompareNeedsForm(AskForm):
    """As for one batch, without what would only blur the comparison."""

    def __init__(
        self,
        collection: Collection,
        data: Data = None,
        *,
        initial: Initial = None,
    ) -> None:
        super().__init__(collection, data, initial=initial)
        for name in LEFT_OUT:
            del self.fields[name]
        self.fields["budget"].help_text = "For the three batches together: each gets a third."

    def wish(self, prompt: Prompt) -> GradesPlan:
        said = {name: value for name, value in self.cleaned_data.items() if name != "prompt"}
        return GradesPlan(prompt=prompt, **said)

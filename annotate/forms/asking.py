"""Whom to ask about which pairs, how, and for how much at most."""

from django import forms

from annotate.llm import services
from annotate.llm.judging import Against
from annotate.models import Collection, Prompt
from annotate.operations import asking, prompting
from annotate.operations.asking import Wish
from annotate.rules.examples import ANY, TOPIC

SERVICES = [(services.ANTHROPIC, "Anthropic"), (services.OPENAI, "OpenAI, or a server that speaks its protocol")]
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
BUILT_IN = "built-in:"


class AskForm(forms.Form):
    service = forms.ChoiceField(choices=SERVICES)
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
        label="Budget in US dollars", required=False, min_value=0, max_digits=10, decimal_places=2,
        help_text="The batch stops before it could be passed.",
    )  # fmt: skip

    def __init__(self, collection: Collection, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        own = Prompt.objects.filter(collection=collection, purpose=Prompt.Purpose.JUDGING, is_own=True)
        built_in = [(f"{BUILT_IN}{name}", f"{name}: {form.label}") for name, (_, form) in prompting.BUILT_IN.items()]
        mine = [
            (str(prompt.pk), f"{prompt}: {prompt.get_form_display()}") for prompt in own.order_by("name", "-version")
        ]
        self.fields["prompt"].choices = [*built_in, *mine]

    def wish(self, prompt: Prompt) -> Wish:
        said = {name: value for name, value in self.cleaned_data.items() if name != "prompt"}
        return Wish(prompt=prompt, **{**said, "against": Against(said["against"]), "budget": said["budget"] or None})


class PromptForm(forms.Form):
    name = forms.RegexField(
        r"^[\w][\w .-]*$", max_length=40, help_text="The same name again makes a new version; an earlier one stays."
    )
    form = forms.ChoiceField(label="Answer", choices=Prompt.Form)
    fixed = forms.CharField(
        label="The same for all pairs", required=False, strip=False, max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false"}),
        help_text="The system part: services keep it in a cache. {grades} {guidelines} {examples} {answer} stand for "
        "the scale's words, the guidelines, worked examples, and how to answer.",
    )  # fmt: skip
    text = forms.CharField(
        label="For each pair", strip=False, max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text="{passage}, and {need} for what is graded against, or {query} and {backstory} apart.",
    )  # fmt: skip
    is_fenced = forms.BooleanField(
        required=False, initial=True, label="Put texts between marks that they cannot close",
        help_text="Off only to use a published prompt word for word: a passage may then speak to the model.",
    )  # fmt: skip

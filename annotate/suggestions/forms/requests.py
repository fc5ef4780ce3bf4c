"""What to ask of which model, how, and for how much at most: a form for each purpose."""

from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from django import forms

from annotate.grades import model_raters
from annotate.llm import prompts as llm_prompts
from annotate.llm import providers
from annotate.llm.capabilities import EFFORTS
from annotate.llm.requests import Against
from annotate.models import Collection, Profile, Prompt
from annotate.models.raters import LEARNED
from annotate.suggestions.operations import prompts
from annotate.suggestions.purposes import backstories, grades, probe, texts, variants
from annotate.suggestions.purposes.backstories import BackstoriesPlan
from annotate.suggestions.purposes.grades import GradesPlan
from annotate.suggestions.purposes.probe import OwnProbePlan, ProbePlan
from annotate.suggestions.purposes.purpose import MOST_CONCURRENT, ServiceFields, ServicePlan, parse_sampling
from annotate.suggestions.purposes.variants import VariantsPlan
from annotate.suggestions.rules import ANY, RELEVANT, TOPIC
from annotate.texts.queries import backstories as backstories_queries
from annotate.texts.rules import USUAL_TEMPERATURE
from annotate.web.views import Data, Initial, set_choices

AGAINST = [
    (Against.QUERY, "the query"),
    (Against.BACKSTORY, "the backstory"),
    (Against.BOTH, "the backstory and the query"),
]
SCOPES = [
    (grades.POOL, "all pooled pairs: the calibrated judge learns from the judged ones where the model errs"),
    (grades.HOLES, "holes only"),
    (grades.JUDGED, "judged pairs only: compares prompts before money is spent on the holes"),
]
MOST_VERSIONS = 20
EFFORT_CHOICES = [("", "the least that the model has"), *((effort, effort) for effort in EFFORTS)]
# What own judges do without, and a service's probe may leave empty.
USUAL_OF_PROBES = {
    "model": "",
    "prompt": f"{prompts.BUILT_IN_CHOICE}direct",
    "against": Against.QUERY,
    "concurrency": 8,
    "per_minute": 0,
}


class ServiceForm(forms.Form):
    """What every purpose needs. A form of a purpose adds its own fields and makes the plan."""

    service = forms.ChoiceField(choices=providers.list_choices)
    model = forms.CharField(
        max_length=100, help_text="As the service calls it, for instance claude-haiku-4-5 or gpt-4o."
    )
    prompt = forms.ChoiceField()
    temperature = forms.FloatField(required=False, min_value=0, max_value=2, help_text="Empty: the service's own.")
    sampling = forms.CharField(
        label="Sampling parameters", required=False, max_length=200,
        help_text="For instance top_p=1 frequency_penalty=0.5 seed=7. Sent where the model takes them, and a part of "
        "the rater.",
    )  # fmt: skip
    effort = forms.ChoiceField(
        label="Reasoning effort", required=False, choices=EFFORT_CHOICES,
        help_text="More effort costs more tokens and time. A prompt that asks for the grade alone needs none.",
    )  # fmt: skip
    most_tokens = forms.IntegerField(
        label="Tokens of an answer", min_value=1, max_value=100_000, required=False,
        help_text="Leave empty for what the prompt needs. Thinking comes on top.",
    )  # fmt: skip
    timeout = forms.IntegerField(
        label="Seconds for a call", min_value=1, max_value=3600, required=False,
        help_text="Leave empty for 120, or what your endpoint says. A slow server needs more, else it is asked again "
        "while it still answers.",
    )  # fmt: skip
    concurrency = forms.IntegerField(label="Calls under way at once", min_value=1, max_value=MOST_CONCURRENT, initial=8)
    per_minute = forms.IntegerField(
        label="Calls a minute at most", min_value=0, max_value=100_000, initial=0, help_text="0: no limit of ours."
    )
    budget = forms.DecimalField(
        label="Budget in US dollars", required=False, min_value=Decimal("0.01"), max_digits=10, decimal_places=2,
        help_text="The batch stops before it could be passed. Empty: no budget of ours.",
    )  # fmt: skip
    budget_tokens = forms.IntegerField(
        label="Budget in tokens", required=False, min_value=1, max_value=10**12,
        help_text="Read and written together: for a model whose price is not known. Leave empty for no limit.",
    )  # fmt: skip

    prompt_purpose: ClassVar[Prompt.Purpose] = Prompt.Purpose.JUDGING

    def __init__(self, collection: Collection, data: Data = None, *, initial: Initial = None) -> None:
        super().__init__(data, initial=initial)
        self.collection = collection
        set_choices(self.fields["prompt"], prompts.list_choices(collection, self.prompt_purpose))

    def plan(self, now: datetime) -> ServicePlan | OwnProbePlan:
        """Of a valid form."""
        raise NotImplementedError

    def service_fields(self, now: datetime) -> ServiceFields:
        given = self.cleaned_data
        return {
            "service": given["service"],
            "model": given["model"],
            "prompt": prompts.find_chosen_prompt(collection=self.collection, choice=given["prompt"], now=now),
            "temperature": given["temperature"],
            "effort": given["effort"],
            "sampling": parse_sampling(given["sampling"]),
            "most_tokens": given["most_tokens"] or 0,
            "timeout": given["timeout"] or 0,
            "is_batched": False,
            "concurrency": given["concurrency"],
            "per_minute": given["per_minute"],
            "budget": given["budget"],
            "budget_tokens": given["budget_tokens"],
        }


class BatchedForm(ServiceForm):
    """Of what may wait for a day."""

    is_batched = forms.BooleanField(
        required=False, label="Batch API",
        help_text="The service's own batches: half the price, results within 24 hours. What is asked again takes as "
        "long again.",
    )  # fmt: skip

    def service_fields(self, now: datetime) -> ServiceFields:
        return {**super().service_fields(now), "is_batched": self.cleaned_data["is_batched"]}


class AskForm(BatchedForm):
    against = forms.ChoiceField(label="Graded against", choices=AGAINST)
    scope = forms.ChoiceField(label="Pairs", choices=SCOPES)
    limit = forms.IntegerField(
        required=False, min_value=1, help_text="Empty: all of them. Else a seeded choice of so many."
    )
    samples = forms.IntegerField(
        label="Answers for each pair", min_value=1, max_value=grades.MOST_SAMPLES, initial=1,
        help_text="The first one counts; several show how sure the model is.",
    )  # fmt: skip
    examples = forms.IntegerField(
        label="Worked examples of each grade", min_value=0, max_value=10, initial=0,
        help_text="Judged pairs shown with their grade; never a hole, never the pair itself.",
    )  # fmt: skip
    examples_from = forms.ChoiceField(
        label="Examples come from",
        choices=[
            (ANY, "any topic"),
            (TOPIC, "the pair's own topic: tells the model its assessor"),
            (RELEVANT, "the pair's own topic, relevant ones alone: so many in all"),
        ],
    )
    is_structured = forms.BooleanField(
        required=False, label="Hold the answer to a JSON schema", help_text="Where the model can."
    )

    def plan(self, now: datetime) -> GradesPlan:
        given = self.cleaned_data
        return GradesPlan(
            **self.service_fields(now),
            against=Against(given["against"]),
            scope=given["scope"],
            limit=given["limit"],
            samples=given["samples"],
            examples=given["examples"],
            examples_from=given["examples_from"],
            is_structured=given["is_structured"],
        )


class TrialForm(forms.Form):
    """One pair, asked now with a prompt that need not be kept: which model, which pair. It stands in the form of the
    prompt, which is sent without it too: a browser must not ask for its fields."""

    use_required_attribute = False

    service = forms.ChoiceField(choices=providers.list_choices)
    model = forms.CharField(max_length=100, help_text="For instance claude-haiku-4-5 or gpt-4o.")
    against = forms.ChoiceField(label="Graded against", choices=AGAINST)
    temperature = forms.FloatField(required=False, min_value=0, max_value=2, help_text="Empty: the service's own.")
    sampling = forms.CharField(label="Sampling parameters", required=False, help_text="For instance top_p=1 seed=7.")
    examples = forms.IntegerField(label="Worked examples of each grade", required=False, min_value=0, max_value=10)
    query_id = forms.CharField(label="Topic", required=False, help_text="Empty: the first hole.")
    passage_id = forms.CharField(label="Passage", required=False)

    def plan(self, prompt: Prompt) -> GradesPlan:
        """Of a valid form, for a prompt that need not be stored."""
        given = self.cleaned_data
        return GradesPlan(
            service=given["service"],
            model=given["model"],
            prompt=prompt,
            against=Against(given["against"]),
            temperature=given["temperature"],
            sampling=parse_sampling(given["sampling"]),
            examples=given["examples"] or 0,
        )


class CompareNeedsForm(ServiceForm):
    """As for one batch, without what would only blur the comparison."""

    scope = forms.ChoiceField(label="Pairs", choices=SCOPES)
    limit = forms.IntegerField(
        required=False, min_value=1, help_text="Empty: all of them. Else a seeded choice of so many."
    )

    def __init__(self, collection: Collection, data: Data = None, *, initial: Initial = None) -> None:
        super().__init__(collection, data, initial=initial)
        self.fields["budget"].help_text = "For the three batches together: each gets a third."

    def plan(self, now: datetime) -> GradesPlan:
        given = self.cleaned_data
        return GradesPlan(**self.service_fields(now), scope=given["scope"], limit=given["limit"])


class ProbeForm(ServiceForm):
    """Which judge to test, and on how many pairs; own judges need none of the rest."""

    judge = forms.ChoiceField()
    against = forms.ChoiceField(label="Graded against", choices=AGAINST)
    is_structured = forms.BooleanField(
        required=False, label="Hold the answer to a JSON schema", help_text="Where the model can."
    )
    pairs = forms.IntegerField(
        label="Pairs", min_value=1, max_value=probe.MOST_PAIRS, initial=50,
        help_text="Each is graded in all four disguises.",
    )  # fmt: skip
    seed = forms.IntegerField(initial=1, help_text="The same seed draws the same pairs for every judge.")

    def __init__(self, collection: Collection, data: Data = None) -> None:
        super().__init__(collection, data)
        del self.fields["service"]
        for name in USUAL_OF_PROBES:
            self.fields[name].required = False
        versions = [(version.name, version.name) for version in model_raters.list_versions(collection)[:MOST_VERSIONS]]
        own = (LEARNED, "the learned judge, from the grades of this moment")
        set_choices(self.fields["judge"], [own, *versions, *providers.list_choices()])

    def clean(self) -> dict[str, object]:
        """What was left empty is as usual."""
        given: dict[str, object] = self.cleaned_data
        for name, usual in USUAL_OF_PROBES.items():
            if given.get(name) in ("", None) and name not in self.errors:
                given[name] = usual
        return {**given, "service": given.get("judge")}

    def plan(self, now: datetime) -> ProbePlan | OwnProbePlan:
        given = self.cleaned_data
        if given["judge"] not in providers.list_names():
            return OwnProbePlan(judge=given["judge"], pairs=given["pairs"], seed=given["seed"])
        return ProbePlan(
            **self.service_fields(now),
            against=Against(given["against"]),
            is_structured=given["is_structured"],
            pairs=given["pairs"],
            seed=given["seed"],
        )


class TextsForm(BatchedForm):
    """What both kinds of texts need."""

    rounds = forms.IntegerField(
        label="Answers for one text at most", min_value=1, max_value=texts.MOST_ROUNDS, initial=3,
        help_text="It is asked again while what came back is not good enough.",
    )  # fmt: skip

    particular: tuple[str, ...] = ()

    @property
    def particular_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.particular]


class BackstoriesForm(TextsForm):
    scope = forms.ChoiceField(
        label="Topics",
        choices=[
            (backstories.MISSING, "those that have neither a backstory nor a draft of one"),
            (backstories.EVERY, "all of them: what is in force stays until a new draft is approved"),
        ],
    )
    bound = forms.FloatField(
        label="Share of the query's words that a text may repeat", min_value=0, max_value=1,
        initial=backstories_queries.MOST_OVERLAP,
        help_text="Above it, the model is asked again; the best text is kept.",
    )  # fmt: skip

    prompt_purpose = Prompt.Purpose.BACKSTORY
    particular = ("scope", "bound")

    def plan(self, now: datetime) -> BackstoriesPlan:
        given = self.cleaned_data
        return BackstoriesPlan(
            **self.service_fields(now), rounds=given["rounds"], scope=given["scope"], bound=given["bound"]
        )


class VariantsForm(TextsForm):
    profiles = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)
    number = forms.IntegerField(
        label="Variants of each profile", min_value=1, max_value=variants.MOST_NUMBER, initial=3,
        help_text="For each topic. What is there already counts.",
    )  # fmt: skip
    temperature = forms.FloatField(
        min_value=0, max_value=2, initial=USUAL_TEMPERATURE,
        help_text="1 unless you have a reason: below it, wordings repeat each other.",
    )  # fmt: skip

    from_query_alone = forms.BooleanField(
        required=False, label="From the query alone", help_text="Without the topic's backstory."
    )
    keeps_repeats = forms.BooleanField(
        required=False, label="Keep repeats",
        help_text="A wording that is there already, or is the query, counts. Off: the model is asked for another one.",
    )  # fmt: skip

    prompt_purpose = Prompt.Purpose.VARIANTS
    particular = ("number", "temperature")

    def __init__(self, collection: Collection, data: Data = None, *, initial: Initial = None) -> None:
        super().__init__(collection, data, initial=initial)
        own = Profile.objects.filter(collection=collection, is_own=True, is_current=True).exclude(background="")
        built_in = list(llm_prompts.built_in_profiles())
        names = [*built_in, *own.order_by("name").values_list("name", flat=True)]
        set_choices(self.fields["profiles"], [(name, name) for name in names])
        self.fields["profiles"].initial = built_in

    def plan(self, now: datetime) -> VariantsPlan:
        given = self.cleaned_data
        chosen = prompts.choose_profiles(collection=self.collection, names=given["profiles"], now=now)
        return VariantsPlan(
            **self.service_fields(now),
            rounds=given["rounds"],
            profiles=tuple(chosen),
            number=given["number"],
            from_query_alone=given["from_query_alone"],
            keeps_repeats=given["keeps_repeats"],
        )

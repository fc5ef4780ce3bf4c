"""Which judge to test, and on how many pairs."""

from django import forms

from annotate.grades import model_raters
from annotate.models import Collection, Prompt
from annotate.probes import operations
from annotate.probes.operations import Draw
from annotate.rules.rater_names import LEARNED
from annotate.suggestions.forms.requests import AskForm
from annotate.suggestions.operations.asking import GradesPlan
from annotate.web.forms import Data, set_choices

LEFT_OUT = ("service", "scope", "limit", "samples", "examples", "examples_from", "is_batched")
OF_SERVICES = ("model", "prompt", "against", "concurrency", "per_minute")
MOST_VERSIONS = 20


class ProbeForm(AskForm):
    """As for one batch, without what has no meaning for a few made-up pairs; own judges need none of the rest."""

    judge = forms.ChoiceField()
    pairs = forms.IntegerField(
        label="Pairs", min_value=1, max_value=operations.MOST_PAIRS, initial=50,
        help_text="Each is graded in all four disguises.",
    )  # fmt: skip
    seed = forms.IntegerField(initial=1, help_text="The same seed draws the same pairs for every judge.")

    def __init__(self, collection: Collection, data: Data = None) -> None:
        super().__init__(collection, data)
        services = self.fields["service"].choices
        for name in LEFT_OUT:
            del self.fields[name]
        for name in OF_SERVICES:
            self.fields[name].required = False
        versions = [(version.name, version.name) for version in model_raters.list_versions(collection)[:MOST_VERSIONS]]
        own = (LEARNED, "the learned judge, from the grades of this moment")
        set_choices(self.fields["judge"], [own, *versions, *services])
        self._services = dict(services)

    @property
    def is_of_service(self) -> bool:
        return self.cleaned_data["judge"] in self._services

    @property
    def draw(self) -> Draw:
        return Draw(self.cleaned_data["pairs"], self.cleaned_data["seed"])

    def wish(self, prompt: Prompt) -> GradesPlan:
        of_wish = {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}
        for name in ("judge", "pairs", "seed", "prompt"):
            of_wish.pop(name, None)
        return GradesPlan(service=self.cleaned_data["judge"], prompt=prompt, **{"model": "", **of_wish})

"""Which pairs people judge: samples, lists, reference pairs, and pairs named by hand."""

from django import forms
from django.db.models import BigIntegerField

from annotate.draws import queries
from annotate.draws.queries import Plan
from annotate.formats import named_pairs
from annotate.formats.faults import FileRefused
from annotate.models import Collection, Rater
from annotate.web.views import Data, set_rows

FAULTS_SHOWN = 10


def _seed(help_text: str) -> forms.IntegerField:
    lowest, highest = -BigIntegerField.MAX_BIGINT - 1, BigIntegerField.MAX_BIGINT
    return forms.IntegerField(initial=1, min_value=lowest, max_value=highest, help_text=help_text)


class SampleForm(forms.Form):
    unit = forms.ChoiceField(
        label="What is drawn",
        choices=[
            (queries.PAIR, "pairs within every topic: narrow intervals for DCG@k over a constant, of these topics"),
            (queries.TOPIC, "whole topics: wide intervals for nDCG itself, of topics like these"),
        ],
        initial=queries.PAIR,
        widget=forms.RadioSelect,
        help_text="Decide by what you will report: neither sample serves the other's estimate.",
    )
    share = forms.FloatField(
        label="Share",
        required=False,
        min_value=0.0001,
        max_value=1,
        initial=0.2,
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="Of the open pairs of each topic, at least two of each; or of the topics.",
    )
    number = forms.IntegerField(
        label="Or how many",
        required=False,
        min_value=2,
        max_value=100_000,
        help_text="Pairs of each topic, or topics. Give a share or a number.",
    )
    depth = forms.IntegerField(
        label="Top ranks",
        min_value=1,
        max_value=1000,
        initial=10,
        help_text="Pairs are drawn from these ranks of the pooled runs: the k of the measure you will report.",
    )
    model = forms.ModelChoiceField(
        label="Model whose grades are frozen",
        queryset=Rater.objects.none(),
        required=False,
        empty_label="none: people's grades alone",
        help_text="An interval may use this model's grades for what people did not judge; no other model's, and only "
        "while they stay what they are now.",
    )
    seed = _seed("The same seed draws the same pairs.")
    leaves_out = forms.BooleanField(
        label="Go on without pairs that nobody can judge",
        required=False,
        help_text="Pairs without a text or withdrawn are counted, and no result speaks about them.",
    )

    def __init__(self, collection: Collection, data: Data = None, *, auto_id: str = "id_%s") -> None:
        super().__init__(data, auto_id=auto_id)
        models = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).order_by("pk")
        set_rows(self.fields["model"], models)
        self.fields["model"].initial = collection.suggesting_rater_id

    def clean(self) -> dict[str, object]:
        given = [self.cleaned_data.get(name) for name in ("share", "number")]
        if not self.errors and (given[0] is None) == (given[1] is None):
            self.add_error("number", "Give either a share or a number, and leave the other empty.")
        return self.cleaned_data

    @property
    def plan(self) -> Plan:
        return Plan(**self.cleaned_data)


class CalibrationForm(forms.Form):
    number = forms.IntegerField(
        label="Pairs of each reference grade",
        min_value=1,
        max_value=500,
        initial=5,
        help_text="Or all that have the grade. Each costs people a judgment.",
    )
    seed = _seed("The same seed mixes the same pairs in.")


class NamedPairsForm(forms.Form):
    """Pairs typed or pasted in, or in a file."""

    pairs = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "class": "mono"}),
        help_text="A topic and a passage on each line: query_id passage_id.",
    )
    file = forms.FileField(label="Or a file", required=False, help_text="Text of the same lines, up to 1 MB.")

    def clean(self) -> dict[str, object]:
        file = self.cleaned_data.get("file")
        text = self.cleaned_data.get("pairs") or ""
        if file and text.strip():
            self.add_error("file", "Give lines or a file, not both.")
            return self.cleaned_data
        try:
            content = file.read() if file else text.encode()
            self.cleaned_data["named"] = named_pairs.parse_pairs(content, file.name if file else named_pairs.NAME)
        except FileRefused as refused:
            add_faults(self, refused)
        return self.cleaned_data


class WithdrawnPairsForm(NamedPairsForm):
    reason = forms.CharField(max_length=1000, help_text="Stored with the pairs, for whoever analyses the judgments.")


def add_faults(form: forms.Form, refused: FileRefused) -> None:
    """Say at the named pairs which lines are refused; the first of them."""
    faults = list(refused.faults)
    sentences = [_sentence(fault.line, fault.reason) for fault in faults[:FAULTS_SHOWN]]
    if left := len(faults) - len(sentences):
        sentences.append(f"And {left} more{' at least' if refused.has_more else ''}; nothing was changed.")
    form.add_error("file" if form.cleaned_data.get("file") else "pairs", sentences)


def _sentence(line: int | None, reason: str) -> str:
    return f"{reason[:1].upper()}{reason[1:]}." if line is None else f"Line {line}: {reason}."

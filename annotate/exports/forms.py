from collections.abc import Iterator

from django import forms
from django.db.models import QuerySet
from django.forms import BoundField

from annotate.grades import completed_qrels
from annotate.models import Collection, Rater
from annotate.rules import completion
from annotate.web.views import Data

MOST_SOURCES = 6


class RuleForm(forms.Form):
    """A rule of completed qrels: sources from the strongest down, and how people's grades become one."""

    consensus = forms.ChoiceField(
        label="Consensus of people",
        choices=Collection.Consensus,
        help_text="How several people's grades of a pair become one. Where the rule gives none, the pair stays a hole.",
    )

    def __init__(self, collection: Collection, data: Data = None) -> None:
        super().__init__(data)
        self.names = [f"source_{place}" for place in range(1, min(MOST_SOURCES, 4 + _models(collection).count()) + 1)]
        for place, name in enumerate(self.names, start=1):
            self.fields[name] = forms.ChoiceField(
                label=f"Source {place}", choices=_choices(collection, is_first=place == 1), required=place == 1
            )
        self.order_fields([*self.names, "consensus"])

    def source_fields(self) -> Iterator[BoundField]:
        return (self[name] for name in self.names)

    def clean(self) -> dict[str, object]:
        sources = [self.cleaned_data[name] for name in self.names if self.cleaned_data.get(name)]
        if sources and "consensus" in self.cleaned_data:
            try:
                self.cleaned_data["rule"] = completion.parse_rule(",".join(sources), self.cleaned_data["consensus"])
            except completion.UnknownRule as reason:
                raise forms.ValidationError(f"This rule cannot be used: {reason}.") from None
        return self.cleaned_data


def usual_choices(collection: Collection) -> dict[str, str]:
    """What the form holds before anybody chose."""
    rule = completed_qrels.usual_rule(collection)
    named = {f"source_{place}": source for place, source in enumerate(rule.sources, start=1)}
    return {**named, "consensus": rule.consensus_rule}


def _choices(collection: Collection, *, is_first: bool) -> list[tuple[str, str]]:
    none = [] if is_first else [("", "nobody")]
    return [
        *none,
        (completion.REFERENCE, "reference: grades in force"),
        (completion.ADJUDICATED, "adjudicated: what adjudicators decided"),
        (completion.PEOPLE, "people: consensus of assessors"),
        (completion.ORIGINAL, "original: reference with the dropped grades"),
        *((completion.MODEL + name, f"model: {name}") for name in _models(collection)),
    ]


def _models(collection: Collection) -> QuerySet[Rater, str]:
    rows = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL)
    return rows.order_by("pk").values_list("name", flat=True)

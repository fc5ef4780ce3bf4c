"""What the forms of all studies have."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.http import QueryDict

from annotate.grades import rankings
from annotate.models import Collection

SEED_HELP = "The same seed on the same inputs gives the same numbers."
LARGEST_SEED = 2**31 - 1


class StudyForm(forms.Form):
    """A kind fills `offer` and `plan`. Fields named in `later` are for those who look for them.

    `like` is the plan of an earlier study, with its title: what the form says at first.
    """

    title = forms.CharField(
        max_length=200,
        required=False,
        help_text="For the list of studies and for the report; you may leave it empty.",
    )
    later: tuple[str, ...] = ()

    def __init__(
        self, collection: Collection, sent: QueryDict | None = None, like: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(sent, initial=self.said(like) if like else None)
        self.collection = collection
        self.offer(collection)

    def offer(self, collection: Collection) -> None:
        """Put in what the collection has to choose from."""

    def plan(self) -> dict[str, Any]:
        """Of a valid form, the plan as JSON."""
        raise NotImplementedError

    @staticmethod
    def said(plan: Mapping[str, Any]) -> dict[str, Any]:
        """What the fields say where the plan is this one: `plan` the other way round."""
        return dict(plan)

    def seconds(self) -> float:
        """Of a valid form, about how long one processor needs; drawing the figures takes most of it."""
        return 20.0

    @property
    def time_needed(self) -> str:
        """The same in words."""
        seconds = self.seconds()
        if seconds < 60:
            return "less than a minute"
        return f"about {seconds / 60:.0f} min" if seconds < 5400 else f"about {seconds / 3600:.0f} h"

    def first_fields(self) -> Iterator[BoundField]:
        return (self[name] for name in self.fields if name not in self.later)

    def later_fields(self) -> Iterator[BoundField]:
        return (self[name] for name in self.later)

    @property
    def has_faults_later(self) -> bool:
        return any(name in self.errors for name in self.later)


class SystemsField(forms.MultipleChoiceField):
    """Run tags; none for all systems."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self) -> None:
        super().__init__(label="Systems", required=False, help_text="None ticked: all of them.")


def seed_field(first: int) -> forms.IntegerField:
    return forms.IntegerField(label="Seed", min_value=0, max_value=LARGEST_SEED, initial=first, help_text=SEED_HELP)


def resamples_field() -> forms.IntegerField:
    return forms.IntegerField(
        label="Resamples", min_value=100, max_value=100_000, initial=1000, help_text="Of the topics, for intervals."
    )


def tags(collection: Collection) -> list[tuple[str, str]]:
    """The runs that rank topics, to be ticked."""
    return [(run.tag, run.tag) for run in rankings.published_runs(collection) if not run.ranks_variants]

"""Fields that several forms have."""

from collections.abc import Iterable

from django import forms


class SortField(forms.ChoiceField):
    """The name of a column; with a minus before it from the largest down."""

    def __init__(self, columns: Iterable[str]) -> None:
        choices = [(sign + name, name) for name in columns for sign in ("", "-")]
        super().__init__(choices=choices, required=False, widget=forms.HiddenInput)


def with_typed(choices: list[tuple[str, str]], typed: str) -> list[tuple[str, str]]:
    """The choices, and what stands in the address if it is none of them."""
    return choices if not typed or typed in dict(choices) else [*choices, (typed, typed)]

"""What forms take, and fields whose choices only the collection knows: `__init__` sets them."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.db.models import Model, QuerySet

Choice = tuple[object, str]
Data = Mapping[str, object] | None  # what was sent; None where the form is shown for the first time
Initial = dict[str, Any] | None


def set_choices(field: forms.Field, choices: Iterable[Choice | tuple[str, Iterable[Choice]]]) -> None:
    """Of a field that offers values; groups have a name and their choices."""
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices


def set_rows(field: forms.Field, rows: QuerySet[Model], empty_label: str | None = None) -> None:
    """Of a field that offers rows; `empty_label` names the choice of none, where the field has it."""
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = rows
    field.empty_label = empty_label or field.empty_label

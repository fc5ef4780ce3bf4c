"""How cells of a study's tables look."""

from django import template
from django.template.defaultfilters import floatformat

from evaluation.tables.table import Cell

register = template.Library()


@register.filter
def cell(value: Cell, places: int) -> str:
    """A number with the decimals of its table, text as it is, nothing where there is nothing to say."""
    if value is None:
        return ""
    return floatformat(value, places) if isinstance(value, float) else str(value)


@register.filter
def is_number(value: Cell) -> bool:
    return isinstance(value, int | float)

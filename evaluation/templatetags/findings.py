"""How findings look: a number, or why there is none; never NaN."""

from typing import Any

from django import template
from django.template.defaultfilters import floatformat
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evaluation.agreement.value import Value
from evaluation.tables.table import Footnotes

register = template.Library()


@register.filter
def figure(value: Value, places: int) -> str:
    """The number, or the reason in words."""
    return floatformat(value.value, places) if value.is_defined else _undefined(f"undefined: {value.reason}")


@register.simple_tag
def footnotes(name: str) -> Footnotes:
    """`{% footnotes "systems" as notes %}`: what the cells of a table write their reasons into, and
    `evaluation/_footnotes.html` under it reads out."""
    return Footnotes(name)


@register.filter
def short(value: Value, notes: Footnotes | None = None) -> str:
    """In a narrow cell: the reason stands in a footnote, or in words where the table has none."""
    return floatformat(value.value, 3) if value.is_defined else _noted("undefined", value.reason, notes)


@register.simple_tag
def number(value: Value, notes: Footnotes, places: int = 3, *, has_sign: bool = False) -> str:
    """As `short`, with so many places, and where asked for with its sign also above 0."""
    if not value.is_defined:
        return short(value, notes)
    sign = "+" if has_sign and value.number > 0 else ""
    return f"{sign}{floatformat(value.value, places)}"


@register.filter
def p_value(value: Value, notes: Footnotes | None = None) -> str:
    """In a narrow cell; never 0, which no p is."""
    if value.is_defined and value.number < 0.001:
        return "< 0.001"
    return short(value, notes)


@register.filter
def share(value: Value) -> str:
    """In whole percent, or the reason in words."""
    return _percent(value) if value.is_defined else _undefined(f"undefined: {value.reason}")


@register.filter
def short_share(value: Value, notes: Footnotes | None = None) -> str:
    """In a narrow cell."""
    return _percent(value) if value.is_defined else _noted("none", value.reason, notes)


@register.filter
def interval(told: Any, notes: Footnotes | None = None) -> str:
    """From low to high, of a `bootstrap.Interval`, of what its `as_json` tells, or of None."""
    low, high, reason = _ends(told)
    if low is None:
        return _noted("none", reason, notes)
    return format_html('<span class="interval">{} – {}</span>', floatformat(low, 3), floatformat(high, 3))


@register.filter
def footnote(value: Value, notes: Footnotes) -> str:
    """The number alone of the footnote that says why a value is undefined."""
    return _number(value.reason, notes)


def _ends(told: Any) -> tuple[float | None, float | None, str]:
    if told is None:
        return None, None, ""
    if isinstance(told, dict):
        return told["low"], told["high"], told.get("reason", "")
    return told.low, told.high, told.reason


def _percent(value: Value) -> str:
    return f"{round(100 * value.number)} %"


def _undefined(words: str) -> SafeString:
    return format_html('<span class="undefined">{}</span>', words)


def _noted(words: str, reason: str, notes: Footnotes | None) -> SafeString:
    """The words with the number of the footnote that says why."""
    if not reason or notes is None:
        return _undefined(f"{words}: {reason}" if reason else words)
    return format_html('<span class="undefined">{} {}</span>', words, _number(reason, notes))


def _number(reason: str, notes: Footnotes) -> SafeString:
    number = notes.number(reason)
    link = '<a class="footnote" href="#{}-{}" aria-label="footnote {}">{}</a>'
    return format_html(link, notes.name, number, number, number)

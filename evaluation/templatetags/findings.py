"""How findings look: a number, or why there is none; never NaN."""

from typing import Any

from django import template
from django.template.defaultfilters import floatformat
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evaluation.agreement.value import Value

register = template.Library()


@register.filter
def figure(value: Value, places: int) -> str:
    """The number, or the reason in words."""
    return floatformat(value.value, places) if value.is_defined else _undefined(f"undefined: {value.reason}")


@register.filter
def short(value: Value) -> str:
    """In a narrow cell: the reason shows when the pointer rests on it."""
    return floatformat(value.value, 3) if value.is_defined else _undefined("undefined", value.reason)


@register.filter
def share(value: Value) -> str:
    """In whole percent, or the reason in words."""
    return _percent(value) if value.is_defined else _undefined(f"undefined: {value.reason}")


@register.filter
def short_share(value: Value) -> str:
    """In a narrow cell."""
    return _percent(value) if value.is_defined else _undefined("none", value.reason)


@register.filter
def interval(told: Any) -> str:
    """From low to high, of a `bootstrap.Interval`, of what its `as_json` tells, or of None."""
    low, high, reason = _ends(told)
    if low is None:
        return _undefined("none", reason)
    return format_html('<span class="interval">{} – {}</span>', floatformat(low, 3), floatformat(high, 3))


def _ends(told: Any) -> tuple[float | None, float | None, str]:
    if told is None:
        return None, None, ""
    if isinstance(told, dict):
        return told["low"], told["high"], told.get("reason", "")
    return told.low, told.high, told.reason


def _percent(value: Value) -> str:
    return f"{round(100 * value.number)} %"


def _undefined(words: str, reason: str = "") -> SafeString:
    if not reason:
        return format_html('<span class="undefined">{}</span>', words)
    return format_html('<span class="undefined" title="{}">{}</span>', reason, words)

"""How grades look: `{% grade_chip grade guidelines %}` is number and word on the colour of its step."""

import math
from collections.abc import Sequence

from django import template

from annotate.models import Guidelines, Suggestion

register = template.Library()

STEPS = 3


@register.inclusion_tag("annotate/_grade_chip.html")
def grade_chip(grade: int | None, guidelines: Guidelines) -> dict[str, object]:
    """None is shown as "cannot judge"; a grade that the scale lacks has no word."""
    words = {word["grade"]: word["name"] for word in guidelines.grade_words}
    return {"grade": grade, "word": words.get(grade, ""), "css_class": grade_class(grade, guidelines)}


@register.filter
def grade_class(grade: int | None, guidelines: Guidelines) -> str:
    """The class of a grade's colour: grey for the lowest, then three steps spread over the scale."""
    scale: Sequence[int] = [word["grade"] for word in guidelines.grade_words]
    if grade is None or grade not in scale:
        return "grade-none"
    return f"grade-{math.ceil(STEPS * (grade - scale[0]) / (scale[-1] - scale[0]))}"


@register.filter
def probability_rows(suggestion: Suggestion, guidelines: Guidelines) -> list[dict[str, object]]:
    """The model's probability of each grade, from the highest grade down."""
    scale = [word["grade"] for word in guidelines.grade_words]
    rows = [
        {"grade": grade, "probability": p, "percent": round(100 * p)}
        for grade, p in zip(scale, suggestion.probabilities or (), strict=False)
    ]
    return rows[::-1]

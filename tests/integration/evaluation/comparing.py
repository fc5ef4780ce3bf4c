"""Raters that are compared by their text names, as pages and commands do it."""

from annotate.models import Collection
from evaluation.findings.agreement import agreement
from evaluation.findings.agreement.agreement import Agreement
from evaluation.inputs import raters


def compare(collection: Collection, first: str, second: str) -> Agreement:
    sides = agreement.make_sides(raters.find_rater(collection, first), raters.find_rater(collection, second))
    return agreement.compare_raters(collection, sides)

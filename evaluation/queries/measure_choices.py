"""The measures, gains and treatments of unjudged passages that pages offer, and the measure that a choice means."""

from evaluation.measures import registry
from evaluation.measures.measure import UNJUDGED_PARAMETER, Measure

Choices = list[tuple[str, str]]

MEASURES: Choices = [
    ("nDCG@10", "nDCG@10"),
    ("nDCG@20", "nDCG@20"),
    ("nDCG(rel=2)@10", "nDCG@10, relevant from grade 2"),
    ("P(rel=2)@10", "P@10, relevant from grade 2"),
    ("AP(rel=2)", "AP, relevant from grade 2"),
    ("RR(rel=2)@10", "RR@10, relevant from grade 2"),
    ("RBP(p=0.8)", "RBP, p = 0.8"),
    ("ERR@10", "ERR@10"),
    ("bpref(rel=2)", "bpref, relevant from grade 2"),
    ("Judged@10", "Judged@10"),
]
GAINS: Choices = [("", "as the measure says"), ("linear", "linear: the grade"), ("exp", "exponential: 2^grade − 1")]
CONDENSED, RANGE = "condensed", "range"
UNJUDGED: Choices = [
    ("", "not relevant"),
    (RANGE, "not relevant, with what they leave open"),
    (CONDENSED, "taken out of the ranking"),
]


class NotTaken(ValueError):
    """The measure has nothing to choose there; the sentence says so."""


def with_gain(measure: Measure, gain: str) -> Measure:
    """The measure with this gain; as it is for an empty one. Raises NotTaken, and registry.MeasureRefused."""
    if not gain:
        return measure
    if "gain" not in measure.definition.parameters:
        raise NotTaken(f"{measure} has no gain to choose: leave it as the measure says.")
    return _with(measure, "gain", gain)


def with_unjudged(measure: Measure, unjudged: str) -> Measure:
    """The measure with this treatment of unjudged passages. Raises NotTaken."""
    if unjudged != CONDENSED:
        return measure
    if not measure.definition.is_treating_holes:
        raise NotTaken(f"{measure} says itself what it does with unjudged passages.")
    return _with(measure, UNJUDGED_PARAMETER, CONDENSED)


def _with(measure: Measure, name: str, value: str) -> Measure:
    parameters = ",".join(f"{key}={said}" for key, said in {**measure.parameters, name: value}.items())
    cutoff = "" if measure.cutoff is None else f"@{measure.cutoff}"
    return registry.parse(f"{measure.definition.name}({parameters}){cutoff}")

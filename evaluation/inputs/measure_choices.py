"""The measures, gains and treatments of unjudged passages that pages offer, and the measure that a choice means."""

from evaluation.measures import gains, registry
from evaluation.measures.definition import CannotMeasure, Cutoff
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
GAINS: Choices = [
    ("linear", "the grade"),
    ("exp", "2^grade − 1"),
    ("0=0,1=1,2=3,3=7", "each grade its own"),
]
CONDENSED, RANGE = "condensed", "range"
UNJUDGED: Choices = [
    ("", "not relevant"),
    (RANGE, "not relevant, with what they leave open"),
    (CONDENSED, "taken out of the ranking"),
]


CHANCES = "chances"
MODEL_GRADES: Choices = [("", "as they are"), (CHANCES, "by their probabilities: expected gains")]


class NotTaken(ValueError):
    """The measure has nothing to choose there; the sentence says so."""


def with_gain(measure: Measure, gain: str, highest: int) -> Measure:
    """The measure with this gain (linear, exp, a list or a map from grade to gain); as it is for an empty one.

    Raises NotTaken, also for gains that are none or end below the `highest` grade.
    """
    if not gain:
        return measure
    if "gain" not in measure.definition.parameters:
        raise NotTaken(f"{measure} has no gain to choose: leave it empty.")
    try:
        chosen = _with(measure, "gain", gains.check(gains.of_map(gain)))
        chosen.check(highest)
    except CannotMeasure as reason:
        raise NotTaken(f"This gain cannot be used: {reason}.") from None
    except ValueError as reason:
        raise NotTaken(f"This gain cannot be used: {gain} {reason}.") from None
    return chosen


def with_cutoff(measure: Measure, cutoff: int | None) -> Measure:
    """The measure cut off at this rank; as it is for None. Raises NotTaken."""
    if cutoff is None:
        return measure
    if measure.definition.cutoff is Cutoff.NONE:
        raise NotTaken(f"{measure} takes no cut-off: leave it empty.")
    return Measure(measure.definition, measure.parameters, cutoff)


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

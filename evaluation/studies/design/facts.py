"""What every figure and table of a study says of its numbers."""

from collections.abc import Mapping
from typing import Any

from evaluation.measures import registry

Facts = tuple[tuple[str, str], ...]

TIES = "equal scores of a run stand by passage id, descending by its bytes"
UNJUDGED = {
    "zero": "an unjudged passage counts as not relevant",
    "condensed": "unjudged passages are taken out, and what stands below moves up",
}


def counted(topics: int, systems: int) -> str:
    """For the captions of tables.

    >>> counted(28, 1)
    '28 topics, 1 system'
    """
    return f"{topics:,} topic{'s'[: topics != 1]}, {systems:,} system{'s'[: systems != 1]}"


def of_measure(text: str) -> Facts:
    """The measure, its gain, its ties, and what it makes of unjudged passages."""
    measure = registry.parse(text)
    gain = (("gain", str(measure.parameters.get("gain", "linear"))),) if "gain" in measure.definition.parameters else ()
    unjudged = UNJUDGED[str(measure.parameters.get("unjudged", "zero"))]
    return (("measure", text), *gain, ("ties", TIES), ("unjudged", unjudged))


def of_intervals(intervals: Mapping[str, Any]) -> Facts:
    """How intervals came about: those of `Plan`s that resample topics."""
    drawn = f"{intervals['resamples']:,} resamples of topics, seed {intervals['seed']}"
    return (("intervals", f"{100 * intervals['coverage']:g} % {intervals['method']} over topics, {drawn}"),)


def sentence(facts: Facts) -> str:
    """All of them in one line.

    >>> sentence((("topics", "28"), ("gain", "linear")))
    'topics: 28; gain: linear'
    """
    return "; ".join(f"{name}: {said}" for name, said in facts)

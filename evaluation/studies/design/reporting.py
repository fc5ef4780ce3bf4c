"""What a study shows as plain data: its report, what is said of all its numbers, and cells of its tables."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluation.measures import registry
from evaluation.plots.figure import Figure
from evaluation.tables.table import Cell, Table


@dataclass(frozen=True)
class Report:
    """`findings` and `warnings` are sentences. `facts` says of all numbers n, seeds, gain, tie rule, what an unjudged
    passage counts. `figures` and `tables` are by name, in the order in which they are shown.
    """

    findings: tuple[str, ...]
    warnings: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    figures: Mapping[str, Figure] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)


Facts = tuple[tuple[str, str], ...]

TIES = "equal scores of a run stand by passage id, descending by its bytes"
UNJUDGED = {
    "zero": "an unjudged passage counts as not relevant",
    "condensed": "unjudged passages are taken out, and what stands below moves up",
}


def counted_words(topics: int, systems: int) -> str:
    """For the captions of tables.

    >>> counted_words(28, 1)
    '28 topics, 1 system'
    """
    return f"{topics:,} topic{'s'[: topics != 1]}, {systems:,} system{'s'[: systems != 1]}"


def measure_facts(text: str) -> Facts:
    """The measure, its gain, its ties, and what it makes of unjudged passages."""
    measure = registry.parse(text)
    gain = (("gain", str(measure.parameters.get("gain", "linear"))),) if "gain" in measure.definition.parameters else ()
    unjudged = UNJUDGED[str(measure.parameters.get("unjudged", "zero"))]
    return (("measure", text), *gain, ("ties", TIES), ("unjudged", unjudged))


def interval_facts(intervals: Mapping[str, Any]) -> Facts:
    """How intervals came about: those of `Plan`s that resample topics."""
    drawn = f"{intervals['resamples']:,} resamples of topics, seed {intervals['seed']}"
    return (("intervals", f"{100 * intervals['coverage']:g} % {intervals['method']} over topics, {drawn}"),)


def facts_sentence(facts: Facts) -> str:
    """All of them in one line.

    >>> facts_sentence((("topics", "28"), ("gain", "linear")))
    'topics: 28; gain: linear'
    """
    return "; ".join(f"{name}: {said}" for name, said in facts)


def number_cell(told: Mapping[str, Any], name: str) -> Cell:
    """The number of that name; where it is undefined, the reason in words.

    >>> number_cell({"tau_b": None, "reason": {"tau_b": "one system"}}, "tau_b")
    'undefined: one system'
    """
    number: Cell = told[name]
    return number if number is not None else f"undefined: {told['reason'][name]}"


def whole_counts(rows: Sequence[tuple[Cell, ...]], places: Collection[int]) -> tuple[tuple[Cell, ...], ...]:
    """The rows, the means of counts at these places without decimals where all of the column are whole.

    >>> whole_counts([("a", 40.0, 0.5), ("b", 41.0, 1.0)], [1, 2])
    (('a', 40, 0.5), ('b', 41, 1.0))
    """
    whole = [place for place in places if all(_is_whole(row[place]) for row in rows)]
    return tuple(tuple(_as_count(cell) if at in whole else cell for at, cell in enumerate(row)) for row in rows)


def _is_whole(cell: Cell) -> bool:
    return not isinstance(cell, float) or cell.is_integer()


def _as_count(cell: Cell) -> Cell:
    return int(cell) if isinstance(cell, float) else cell

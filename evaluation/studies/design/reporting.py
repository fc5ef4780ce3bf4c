"""What a study shows as plain data: its report, the facts of all its numbers, and columns of its tables."""

import textwrap
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from evaluation.measures import registry
from evaluation.plots.figure import Figure
from evaluation.tables.table import Cell, Column, Content, Table

_WIDTH = 110  # letters of a line of a subtitle


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


def count_words(topics: int, systems: int) -> str:
    """For the captions of tables.

    >>> count_words(28, 1)
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
    return "; ".join(f"{name}: {words}" for name, words in facts)


Row = Mapping[str, Any]
R = TypeVar("R")


def column(label: str, value: Callable[[R], Content]) -> Column[R]:
    """A column of a study's table: what it is called, and what it has of a row."""
    return Column("", "", label, value)


def field_column(name: str, label: str = "") -> Column[Row]:
    """What rows have under a name, which is also its label if none is given."""
    return column(label or name, lambda row: row[name])


def number_column(name: str, label: str = "") -> Column[Row]:
    """The number that rows have under a name; where it is undefined, the reason in words."""
    return column(label or name, lambda row: number_cell(row, name))


def number_cell(row: Row, name: str) -> Cell:
    """The number of that name; where it is undefined, the reason in words.

    >>> number_cell({"tau_b": None, "reason": {"tau_b": "one system"}}, "tau_b")
    'undefined: one system'
    """
    number: Cell = row[name]
    return number if number is not None else f"undefined: {row['reason'][name]}"


def with_whole_counts(table: Table, labels: Collection[str]) -> Table:
    """The table, the means of counts in these columns without decimals where all of a column are whole.

    >>> with_whole_counts(Table("", ("fill", "n", "m"), (("a", 40.0, 0.5), ("b", 41.0, 1.0))), ["n", "m"]).rows
    (('a', 40, 0.5), ('b', 41, 1.0))
    """
    whole = [
        place
        for place, label in enumerate(table.columns)
        if label in labels and all(_is_whole(row[place]) for row in table.rows)
    ]
    rows = (tuple(_as_count(cell) if at in whole else cell for at, cell in enumerate(row)) for row in table.rows)
    return replace(table, rows=tuple(rows))


def wrap_subtitle(text: str) -> str:
    """As wide as a figure."""
    return "\n".join(textwrap.wrap(text, _WIDTH))


def _is_whole(cell: Cell) -> bool:
    return not isinstance(cell, float) or cell.is_integer()


def _as_count(cell: Cell) -> Cell:
    return int(cell) if isinstance(cell, float) else cell

"""The tables of agreement, to be downloaded."""

from collections.abc import Callable
from typing import Any

from evaluation.pages.agreement.views.shown import Shown
from evaluation.tables.table import Table
from evaluation.web import figure_rows, interval_rows

Details = dict[str, Any]


def figures(shown: Shown) -> Table:
    """Every figure of the two raters, each on its own line."""
    return figure_rows.table(shown.found, shown.words)


def confusion(shown: Shown) -> Table:
    """Rows are grades of the first, columns of the second."""
    grades = list(shown.collection.scale.grades)
    counts = shown.found.figures.confusion.tolist()
    caption = f"Grades of {shown.sides.first.words} (rows) and {shown.sides.second.words} (columns): numbers of pairs"
    columns = (f"{shown.sides.first.name} \\ {shown.sides.second.name}", *map(str, grades))
    return Table(caption, columns, tuple((str(grade), *line) for grade, line in zip(grades, counts, strict=True)))


def anchoring(shown: Shown) -> Table:
    """What people did after a reveal; without rows where people are not compared with a model."""
    found = shown.anchoring
    return found.table if found else Table(f"Grades after a reveal, {shown.words}", ("assessor",), ())


def intervals(shown: Shown, details: Details, over: str) -> Table:
    rows = interval_rows.of_figures(shown.found, details, over)
    return interval_rows.table(rows, f"Agreement of {shown.words} with its intervals")


def part_intervals(shown: Shown, details: Details, over: str) -> Table:
    """Over the topics, whatever is asked: the arms are compared over them."""
    return interval_rows.parts_table(
        interval_rows.of_parts(shown.found, details), f"Agreement of {shown.words} by what people saw"
    )


def length(shown: Shown, details: Details, over: str) -> Table:
    return shown.traits(details)[0].table


def overlap(shown: Shown, details: Details, over: str) -> Table:
    return shown.traits(details)[1].table


TABLES: dict[str, Callable[[Shown], Table]] = {
    "figures": figures,
    "confusion": confusion,
    "anchoring": anchoring,
    "topics": lambda shown: shown.topics.table,
    "grades": lambda shown: shown.grades.table,
    "sources": lambda shown: shown.sources.table,
    "trend": lambda shown: shown.trend.table,
    "parts": lambda shown: shown.parts.table,
}
# These rest on what the background computes.
OF_DETAILS: dict[str, Callable[[Shown, Details, str], Table]] = {
    "intervals": intervals,
    "part-intervals": part_intervals,
    "length": length,
    "overlap": overlap,
}

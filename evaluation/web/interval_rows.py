"""Figures of agreement beside their intervals, as a finding of `agreement_details` holds them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.agreement.value import Value
from evaluation.engine.rater_agreement import RaterAgreement
from evaluation.findings.agreement.agreement import Agreement, PartAgreement
from evaluation.tables.table import Cell, Table, cell
from evaluation.web import figure_rows

Told = dict[str, Any]


@dataclass(frozen=True)
class IntervalRow:
    """An interval is what `bootstrap.Interval.as_json` tells; `people` are among themselves, None without a pair."""

    figure: figure_rows.Figure
    interval: Told
    people: Value | None
    people_interval: Told | None


@dataclass(frozen=True)
class PartRow:
    """The figures of one part of people's grades that are compared between the arms."""

    name: str
    cells: list[IntervalRow]


def of_figures(found: Agreement, told: Told, over: str) -> list[IntervalRow]:
    """Every figure of the two raters."""
    return _rows(found.figures, found.among, told["intervals"][over], told["among"][over])


def of_parts(found: Agreement, told: Told) -> list[PartRow]:
    """Ordinal alpha and kappa of each part of people's grades."""
    return [PartRow(each.part.value, _of_part(each, told["parts"][each.part.name])) for each in found.parts]


def table(rows: Sequence[IntervalRow], caption: str) -> Table:
    """To be downloaded, with the ends of each interval and how it was drawn, or why there is none."""
    has_people = any(row.people_interval for row in rows)
    columns = ("value", "low", "high", "interval")
    people = tuple(f"{figure_rows.PEOPLE}: {name}" for name in columns) if has_people else ()
    lines = tuple((row.figure.name, *_both(row)[: None if has_people else len(columns)]) for row in rows)
    return Table(caption, ("figure", *columns, *people), lines, places=3)


def parts_table(rows: Sequence[PartRow], caption: str) -> Table:
    """To be downloaded: a line for each figure of each part."""
    lines = [(part.name, row.figure.name, *_both(row)) for part in rows for row in part.cells]
    columns = ("value", "low", "high", "interval")
    people = tuple(f"{figure_rows.PEOPLE}: {name}" for name in columns)
    return Table(caption, ("grades given", "figure", *columns, *people), tuple(lines), places=3)


def drawn(told: Told) -> str:
    """How an interval was drawn.

    >>> drawn({"level": 0.95, "over": "topics", "n": 43, "resamples": 1000, "seed": 0, "left_out": 2})
    '95 % over 43 topics, percentile bootstrap, 1000 resamples (2 without a value left out), seed 0'
    """
    left_out = f" ({told['left_out']} without a value left out)" if told["left_out"] else ""
    what = f"{100 * told['level']:g} % over {told['n']} {told['over']}"
    return f"{what}, percentile bootstrap, {told['resamples']} resamples{left_out}, seed {told['seed']}"


def _rows(own: RaterAgreement, among: RaterAgreement | None, told: Told, people: Told | None) -> list[IntervalRow]:
    figures = figure_rows.of(own)
    if people is None or among is None or not among.n:
        return [IntervalRow(figure, _at(told, figure.place), None, None) for figure in figures]
    return [
        IntervalRow(figure, _at(told, figure.place), other.value, _at(people, figure.place))
        for figure, other in zip(figures, figure_rows.of(among), strict=True)
    ]


def _of_part(each: PartAgreement, told: Told) -> list[IntervalRow]:
    rows = {row.figure.place: row for row in _rows(each.figures, each.among, told, told["among"])}
    return [rows["alpha", "ordinal"], rows["kappa", "unweighted"]]


def _at(told: Told, place: tuple[str, ...]) -> Told:
    for name in place:
        told = told[name]
    return told


def _both(row: IntervalRow) -> tuple[Cell, ...]:
    """The cells of the two raters, and those of people among themselves."""
    if row.people is None or row.people_interval is None:
        return *_cells(row.figure.value, row.interval), cell(figure_rows.NOBODY_TWICE), None, None, None
    return *_cells(row.figure.value, row.interval), *_cells(row.people, row.people_interval)


def _cells(value: Value, told: Told) -> tuple[Cell, ...]:
    how = drawn(told) if told["low"] is not None else f"undefined: {told['reason']}"
    return cell(value), told["low"], told["high"], how

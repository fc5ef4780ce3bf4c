"""Every figure of two raters by its name, beside people among themselves, and with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.agreement.value import Value
from evaluation.engine.rater_agreement import RaterAgreement
from evaluation.findings.agreement.agreement import Agreement, PartAgreement
from evaluation.findings.agreement.groups import NOBODY
from evaluation.tables.table import Cell, Table, value_cell

PEOPLE = "people among themselves"
NOBODY_TWICE = NOBODY.values["alpha"]


@dataclass(frozen=True)
class AgreementFigure:
    """`words` are for the page, `name` for downloads; `place` is where `agreement_details` has the interval."""

    words: str
    name: str
    place: tuple[str, ...]
    value: Value

    @property
    def has_sign(self) -> bool:
        """Whether it needs an order of the two, which people among themselves have not."""
        return self.place == ("mean_difference",)

    @property
    def is_share(self) -> bool:
        return self.place == ("share_equal",)


def list_figures(found: RaterAgreement) -> list[AgreementFigure]:
    """All of them; the share of equal grades stands last and never alone."""
    return [
        *(
            AgreementFigure(f"Alpha, {level}", f"alpha, {level}", ("alpha", level), value)
            for level, value in found.alpha.items()
        ),
        *(
            AgreementFigure(_kappa_words(weights, found), f"kappa, {weights}", ("kappa", weights), value)
            for weights, value in found.kappa.items()
            if weights != "binary"
        ),
        *(
            AgreementFigure(
                f"Kappa, relevant from {grade}", f"kappa, relevant from {grade}", ("kappa_from", str(grade)), value
            )
            for grade, value in found.kappa_from.items()
        ),
        AgreementFigure("Gwet’s AC1", "AC1", ("ac1",), found.ac1),
        AgreementFigure("Kendall’s tau-b of grades", "tau-b of grades", ("tau_b",), found.tau_b),
        AgreementFigure("Kendall’s tau-a of grades", "tau-a of grades", ("tau_a",), found.tau_a),
        AgreementFigure("Gamma of grades, ties dropped", "gamma of grades", ("gamma",), found.gamma),
        AgreementFigure("Spearman’s correlation of grades", "Spearman of grades", ("spearman",), found.spearman),
        AgreementFigure(
            "Mean difference, second less first",
            "mean difference, second less first",
            ("mean_difference",),
            found.mean_difference,
        ),
        AgreementFigure("Equal grades", "share of equal grades", ("share_equal",), found.share_equal),
    ]


def pair_with_people(found: Agreement) -> list[tuple[AgreementFigure, Value | None]]:
    """Each figure of the two, and of people among themselves where two of them judged one pair."""
    return list(zip(list_figures(found.figures), _values_of_people(found), strict=True))


def figures_table(found: Agreement, words: str) -> Table:
    """To be downloaded."""
    own = list_figures(found.figures)
    has_people = found.among is not None
    people = [value or NOBODY_TWICE for value in _values_of_people(found)]
    rows = tuple(
        (figure.name, value_cell(figure.value), *((value_cell(value),) if has_people else ()))
        for figure, value in zip(own, people, strict=True)
    )
    columns = ("figure", "value", *((PEOPLE,) if has_people else ()))
    return Table(f"Agreement of {words} on {found.figures.n} pairs that both graded", columns, rows, places=3)


def _values_of_people(found: Agreement) -> list[Value | None]:
    if found.among is None or not found.among.n:
        return [None] * len(list_figures(found.figures))
    return [figure.value for figure in list_figures(found.among)]


def _kappa_words(weights: str, found: RaterAgreement) -> str:
    return f"Cohen’s kappa, {len(found.confusion)} grades" if weights == "unweighted" else f"Kappa, {weights} weights"


Details = dict[str, Any]


@dataclass(frozen=True)
class IntervalRow:
    """An interval is what `bootstrap.Interval.as_json` tells; `people` are among themselves, None without a pair."""

    figure: AgreementFigure
    interval: Details
    people: Value | None
    people_interval: Details | None


@dataclass(frozen=True)
class PartRow:
    """The figures of one part of people's grades that are compared between the arms."""

    name: str
    cells: list[IntervalRow]


def list_intervals(found: Agreement, told: Details, over: str) -> list[IntervalRow]:
    """Every figure of the two raters."""
    return _interval_rows(found.figures, found.among, told["intervals"][over], told["among"][over])


def list_part_intervals(found: Agreement, told: Details) -> list[PartRow]:
    """Ordinal alpha and kappa of each part of people's grades."""
    return [PartRow(each.part.value, _part_rows(each, told["parts"][each.part.name])) for each in found.parts]


def intervals_table(rows: Sequence[IntervalRow], caption: str) -> Table:
    """To be downloaded, with the ends of each interval and how it was drawn, or why there is none."""
    has_people = any(row.people_interval for row in rows)
    columns = ("value", "low", "high", "interval")
    people = tuple(f"{PEOPLE}: {name}" for name in columns) if has_people else ()
    lines = tuple(
        (row.figure.name, *_own_and_people_cells(row)[: None if has_people else len(columns)]) for row in rows
    )
    return Table(caption, ("figure", *columns, *people), lines, places=3)


def part_intervals_table(rows: Sequence[PartRow], caption: str) -> Table:
    """To be downloaded: a line for each figure of each part."""
    lines = [(part.name, row.figure.name, *_own_and_people_cells(row)) for part in rows for row in part.cells]
    columns = ("value", "low", "high", "interval")
    people = tuple(f"{PEOPLE}: {name}" for name in columns)
    return Table(caption, ("grades given", "figure", *columns, *people), tuple(lines), places=3)


def describe_interval(told: Details) -> str:
    """How an interval was drawn.

    >>> describe_interval({"level": 0.95, "over": "topics", "n": 43, "resamples": 1000, "seed": 0, "left_out": 2})
    '95 % over 43 topics, percentile bootstrap, 1000 resamples (2 without a value left out), seed 0'
    """
    left_out = f" ({told['left_out']} without a value left out)" if told["left_out"] else ""
    what = f"{100 * told['level']:g} % over {told['n']} {told['over']}"
    return f"{what}, percentile bootstrap, {told['resamples']} resamples{left_out}, seed {told['seed']}"


def _interval_rows(
    own: RaterAgreement, among: RaterAgreement | None, told: Details, people: Details | None
) -> list[IntervalRow]:
    figures = list_figures(own)
    if people is None or among is None or not among.n:
        return [IntervalRow(figure, _interval_at(told, figure.place), None, None) for figure in figures]
    return [
        IntervalRow(figure, _interval_at(told, figure.place), other.value, _interval_at(people, figure.place))
        for figure, other in zip(figures, list_figures(among), strict=True)
    ]


def _part_rows(each: PartAgreement, told: Details) -> list[IntervalRow]:
    rows = {row.figure.place: row for row in _interval_rows(each.figures, each.among, told, told["among"])}
    return [rows["alpha", "ordinal"], rows["kappa", "unweighted"]]


def _interval_at(told: Details, place: tuple[str, ...]) -> Details:
    for name in place:
        told = told[name]
    return told


def _own_and_people_cells(row: IntervalRow) -> tuple[Cell, ...]:
    """The cells of the two raters, and those of people among themselves."""
    if row.people is None or row.people_interval is None:
        return *_interval_cells(row.figure.value, row.interval), value_cell(NOBODY_TWICE), None, None, None
    return *_interval_cells(row.figure.value, row.interval), *_interval_cells(row.people, row.people_interval)


def _interval_cells(value: Value, told: Details) -> tuple[Cell, ...]:
    how = describe_interval(told) if told["low"] is not None else f"undefined: {told['reason']}"
    return value_cell(value), told["low"], told["high"], how

"""Every figure of two raters by its name, beside people among themselves, and with its interval."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from evaluation import web
from evaluation.agreement.value import Value
from evaluation.engine.rater_agreement import RaterAgreement
from evaluation.findings.agreement.agreement import Agreement, PartAgreement
from evaluation.findings.agreement.details import Details, FigureIntervals
from evaluation.findings.agreement.groups import NOBODY
from evaluation.statistics.bootstrap import IntervalJson
from evaluation.tables.table import Column, DataTable, text_column
from evaluation.templatetags.findings import number_cell

SingleFigure = Literal["ac1", "tau_b", "tau_a", "gamma", "spearman", "mean_difference", "share_equal"]
PEOPLE = "people among themselves"
NOBODY_TWICE = NOBODY.values["alpha"]
INTERVAL_LABELS = ("low", "high", "interval")


@dataclass(frozen=True)
class AgreementFigure:
    """`words` are for the page, `name` for downloads; `interval` finds that of the figure among all. What `has_sign`
    needs an order of the two, which people among themselves have not."""

    words: str
    name: str
    value: Value
    interval: Callable[[FigureIntervals], IntervalJson]
    has_sign: bool = False
    is_share: bool = False


# The words on the page, and in a download. The share of equal grades stands last and never alone.
SINGLE_FIGURES: dict[SingleFigure, tuple[str, str]] = {
    "ac1": ("Gwet’s AC1", "AC1"),
    "tau_b": ("Kendall’s tau-b of grades", "tau-b of grades"),
    "tau_a": ("Kendall’s tau-a of grades", "tau-a of grades"),
    "gamma": ("Gamma of grades, ties dropped", "gamma of grades"),
    "spearman": ("Spearman’s correlation of grades", "Spearman of grades"),
    "mean_difference": ("Mean difference, second less first", "mean difference, second less first"),
    "share_equal": ("Equal grades", "share of equal grades"),
}


def list_figures(found: RaterAgreement) -> list[AgreementFigure]:
    return [*_figures_by_key(found), *(_single_figure(found, name, *words) for name, words in SINGLE_FIGURES.items())]


def _single_figure(found: RaterAgreement, name: SingleFigure, words: str, label: str) -> AgreementFigure:
    value: Value = getattr(found, name)
    is_difference, is_share = name == "mean_difference", name == "share_equal"
    return AgreementFigure(words, label, value, lambda intervals: intervals[name], is_difference, is_share)


def _figures_by_key(found: RaterAgreement) -> Iterator[AgreementFigure]:
    """Of which there are several, told apart by the level of measurement, the weights or the grade."""
    for level, value in found.alpha.items():
        yield AgreementFigure(f"Alpha, {level}", f"alpha, {level}", value, partial(_of_key, "alpha", level))
    for weights, value in found.kappa.items():
        if weights != "binary":
            unweighted = f"Cohen’s kappa, {len(found.confusion)} grades"
            words = unweighted if weights == "unweighted" else f"Kappa, {weights} weights"
            yield AgreementFigure(words, f"kappa, {weights}", value, partial(_of_key, "kappa", weights))
    for grade, value in found.kappa_from.items():
        name = f"relevant from {grade}"
        interval = partial(_of_key, "kappa_from", str(grade))
        yield AgreementFigure(f"Kappa, {name}", f"kappa, {name}", value, interval)


def _of_key(name: Literal["alpha", "kappa", "kappa_from"], key: str, intervals: FigureIntervals) -> IntervalJson:
    return intervals[name][key]


@dataclass(frozen=True)
class FigureRow:
    """A figure of the two, and that of people among themselves; None where no pair was judged by two of them."""

    figure: AgreementFigure
    people: Value | None


def figures_table(found: Agreement, words: str) -> DataTable[FigureRow]:
    shown = "People among themselves" if found.among and found.among.n else ""
    kept = PEOPLE if found.among is not None else ""
    columns: list[Column[FigureRow]] = [
        text_column("", "Figure", "", lambda row: row.figure.words, is_row_head=True),
        Column("", "", "figure", lambda row: row.figure.name),
        Column("", "Value", "value", lambda row: row.figure.value, "evaluation/agreement/_figure_value.html"),
        Column("", shown, kept, _people_value, "evaluation/agreement/_people_value.html", css="num muted"),
    ]
    own, people = list_figures(found.figures), _values_of_people(found)
    rows = [FigureRow(figure, value) for figure, value in zip(own, people, strict=True)]
    caption = f"Agreement of {words} on {found.figures.n} pairs that both graded"
    return DataTable("figures", caption, columns, rows, places=3)


def _people_value(row: "FigureRow | IntervalRow") -> Value:
    return row.people or NOBODY_TWICE


def _values_of_people(found: Agreement) -> Sequence[Value | None]:
    if found.among is None or not found.among.n:
        return [None] * len(list_figures(found.figures))
    return [figure.value for figure in list_figures(found.among)]


@dataclass(frozen=True)
class IntervalRow:
    """`people` are among themselves, None without a pair. `part` says which grades of people these are of, if not of
    all that are compared."""

    figure: AgreementFigure
    interval: IntervalJson
    people: Value | None = None
    people_interval: IntervalJson | None = None
    part: str = ""


@dataclass(frozen=True)
class PartRow:
    """The figures of one part of people's grades that are compared between the arms."""

    name: str
    cells: Sequence[IntervalRow]


def intervals_table(found: Agreement, details: Details, over: str, words: str) -> DataTable[IntervalRow]:
    """Every figure with the ends of its interval and how it was computed, or why there is none."""
    rows = _interval_rows(found.figures, found.among, details["intervals"][over], details["among"][over])
    has_people = any(row.people_interval for row in rows)
    columns = _interval_columns(rows, has_people)
    return DataTable("intervals", f"Agreement of {words} with its intervals", columns, rows, places=3)


def part_intervals_table(found: Agreement, details: Details, words: str) -> DataTable[IntervalRow]:
    """To be downloaded: a line for each figure of each part."""
    rows = [row for part in list_parts(found, details) for row in part.cells]
    columns = [Column[IntervalRow]("", "", "grades given", lambda row: row.part), *_interval_columns(rows, True)]
    return DataTable("part-intervals", f"Agreement of {words} by what people saw", columns, rows, places=3)


def list_parts(found: Agreement, details: Details) -> list[PartRow]:
    """Ordinal alpha and kappa of each part of people's grades, over the topics: the arms are compared over them."""
    return [PartRow(each.part.value, _part_rows(each, details)) for each in found.parts]


def _interval_columns(rows: Sequence[IntervalRow], has_people: bool) -> list[Column[IntervalRow]]:
    head = f"{round(100 * rows[0].interval['level'])} % interval" if rows else "Interval"
    columns: list[Column[IntervalRow]] = [
        text_column("", "Figure", "", lambda row: row.figure.words, is_row_head=True),
        Column("", "", "figure", lambda row: row.figure.name),
        Column("", "Value", "value", lambda row: row.figure.value, number_cell()),
        Column("", head, INTERVAL_LABELS, lambda row: web.read_ends(row.interval), "evaluation/_interval.html"),
    ]
    if has_people:
        value, interval = "evaluation/agreement/_people_value.html", "evaluation/agreement/_people_interval.html"
        labels = tuple(f"{PEOPLE}: {label}" for label in INTERVAL_LABELS)
        columns += [
            Column("", "People among themselves", f"{PEOPLE}: value", _people_value, value, css="num muted"),
            Column("", head, labels, lambda row: web.read_ends(row.people_interval), interval, css="num muted"),
        ]
    return columns


def _interval_rows(
    own: RaterAgreement,
    among: RaterAgreement | None,
    intervals: FigureIntervals,
    people: FigureIntervals | None,
    part: str = "",
) -> list[IntervalRow]:
    figures = list_figures(own)
    if people is None or among is None or not among.n:
        return [IntervalRow(figure, figure.interval(intervals), part=part) for figure in figures]
    return [
        IntervalRow(figure, figure.interval(intervals), other.value, other.interval(people), part)
        for figure, other in zip(figures, list_figures(among), strict=True)
    ]


def _part_rows(each: PartAgreement, details: Details) -> list[IntervalRow]:
    intervals = details["parts"][each.part.name]
    rows = _interval_rows(each.figures, each.among, intervals, intervals["among"], each.part.value)
    by_name = {row.figure.name: row for row in rows}
    return [by_name["alpha, ordinal"], by_name["kappa, unweighted"]]

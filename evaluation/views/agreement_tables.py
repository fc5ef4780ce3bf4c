"""The tables of agreement, to be downloaded."""

from collections.abc import Callable

from evaluation.tables.table import Table, cell
from evaluation.views import group_rows
from evaluation.views.agreement_shown import Shown


def figures(shown: Shown) -> Table:
    """Every figure of the two raters, each on its own line."""
    found = shown.found.figures
    kappa = {f"kappa, {weights}": value for weights, value in found.kappa.items() if weights != "binary"}
    rows = {
        **{f"alpha, {level}": value for level, value in found.alpha.items()},
        **kappa,
        **{f"kappa, relevant from {grade}": value for grade, value in found.kappa_from.items()},
        "AC1": found.ac1,
        "tau-b of grades": found.tau_b,
        "gamma": found.gamma,
        "mean difference, second less first": found.mean_difference,
        "share of equal grades": found.share_equal,
    }
    caption = f"Agreement of {shown.words} on {found.n} pairs that both graded"
    return Table(caption, ("figure", "value"), tuple((name, cell(value)) for name, value in rows.items()), places=3)


def confusion(shown: Shown) -> Table:
    """Rows are grades of the first, columns of the second."""
    grades = list(shown.collection.scale.grades)
    counts = shown.found.figures.confusion.tolist()
    caption = f"Grades of {shown.sides.first.words} (rows) and {shown.sides.second.words} (columns): numbers of pairs"
    columns = (f"{shown.sides.first.name} \\ {shown.sides.second.name}", *map(str, grades))
    return Table(caption, columns, tuple((str(grade), *line) for grade, line in zip(grades, counts, strict=True)))


def topics(shown: Shown) -> Table:
    return group_rows.table(shown.topics, f"Agreement of {shown.words} by topic", "topic")


def trend(shown: Shown) -> Table:
    return group_rows.table(shown.periods, f"Agreement of {shown.words} by the time of people's grades", "time (UTC)")


def parts(shown: Shown) -> Table:
    """By what people saw of the suggestion; without rows where neither rater is people."""
    rows = tuple(
        (
            each.part.value,
            each.figures.n,
            cell(each.figures.alpha["ordinal"]),
            cell(each.figures.kappa["unweighted"]),
            cell(each.figures.kappa["binary"]),
            cell(each.figures.share_equal),
            cell(each.figures.mean_difference),
        )
        for each in shown.found.parts
    )
    return Table(f"Agreement of {shown.words} by what people saw", ("grades given", *group_rows.COLUMNS), rows, 3)


TABLES: dict[str, Callable[[Shown], Table]] = {
    "figures": figures,
    "confusion": confusion,
    "topics": topics,
    "trend": trend,
    "parts": parts,
}

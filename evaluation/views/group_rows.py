"""Agreement by topic and over time as rows: sortable, and the same for the page and for downloads."""

from collections.abc import Callable, Sequence
from typing import Any

from evaluation.queries.agreement_groups import Group
from evaluation.tables.table import Table, cell
from evaluation.views import sorting

VALUES: dict[str, Callable[[Group], Any]] = {
    "topic": lambda group: group.key,
    "n": lambda group: group.figures.n,
    "alpha": lambda group: group.figures.alpha["ordinal"].value,
    "kappa": lambda group: group.figures.kappa["unweighted"].value,
    "binary": lambda group: group.figures.kappa["binary"].value,
    "equal": lambda group: group.figures.share_equal.value,
    "difference": lambda group: group.figures.mean_difference.value,
}
COLUMNS = ("pairs", "alpha, ordinal", "kappa", "kappa, binary", "share of equal grades", "mean difference")


def sort(groups: Sequence[Group], asked: str) -> list[Group]:
    return sorting.sort(groups, asked, VALUES)


def table(groups: Sequence[Group], caption: str, first_column: str) -> Table:
    rows = tuple(
        (
            group.key,
            group.figures.n,
            cell(group.figures.alpha["ordinal"]),
            cell(group.figures.kappa["unweighted"]),
            cell(group.figures.kappa["binary"]),
            cell(group.figures.share_equal),
            cell(group.figures.mean_difference),
        )
        for group in groups
    )
    return Table(caption, (first_column, *COLUMNS), rows, places=3)

"""What people did after a reveal as rows, all of them and each assessor: sortable, for the page and for downloads."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evaluation.findings.agreement.anchoring import Decisions
from evaluation.tables.table import Cell, Table, cell
from evaluation.web import sorting

COLUMNS: dict[str, tuple[str, Callable[[Decisions], Any]]] = {
    "decided": ("Decided", lambda found: found.decided),
    "changed": ("Changed", lambda found: found.changed),
    "share_changed": ("Share changed", lambda found: found.share_changed),
    "differing": ("Differed from the suggestion", lambda found: found.differing),
    "towards": ("Moved towards it", lambda found: found.towards),
    "share_towards": ("Share of the differing moved towards it", lambda found: found.share_of_differing),
    "onto": ("Onto it", lambda found: found.onto),
    "away": ("Away from it", lambda found: found.away),
    "raised": ("Raised", lambda found: found.raised),
    "lowered": ("Lowered", lambda found: found.lowered),
    "undecided": ("Not decided yet", lambda found: found.undecided),
}
SHARES = ("share_changed", "share_towards")


@dataclass(frozen=True)
class Anchoring:
    """`whole` is of all whom the comparison names, `by_assessor` of each of them."""

    whole: Decisions
    by_assessor: dict[str, Decisions]
    words: str
    asked: str

    @property
    def heads(self) -> list[tuple[sorting.Head, str, str]]:
        heads = sorting.heads(self.asked, ("group", *COLUMNS), ["group"])
        return [
            (head, "Assessor" if name == "group" else COLUMNS[name][0], "" if name == "group" else "num")
            for name, head in heads.items()
        ]

    @property
    def rows(self) -> list[tuple[str, list[tuple[bool, Any]]]]:
        """Of each assessor the name and the values; true with a value that is a share."""
        columns: dict[str, Callable[[tuple[str, Decisions]], Any]] = {
            name: lambda row, value=value, name=name: value(row[1]).value if name in SHARES else value(row[1])
            for name, (_, value) in COLUMNS.items()
        }
        found = sorting.sort(list(self.by_assessor.items()), self.asked, {"group": lambda row: row[0], **columns})
        return [
            (name, [(column in SHARES, value(decisions)) for column, (_, value) in COLUMNS.items()])
            for name, decisions in found
        ]

    @property
    def table(self) -> Table:
        rows = [(name, *_cells(self.by_assessor[name])) for name, _ in self.rows]
        heads = ("assessor", *(words.lower() for words, _ in COLUMNS.values()))
        caption = f"Grades after the reveal of a suggestion, {self.words}"
        return Table(caption, heads, (*rows, ("all", *_cells(self.whole))), places=3)


def _cells(found: Decisions) -> tuple[Cell, ...]:
    return tuple(cell(value(found)) if name in SHARES else value(found) for name, (_, value) in COLUMNS.items())

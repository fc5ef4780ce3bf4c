"""The most influential holes as a table, on the page and to keep."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.findings.influence import HoleRank, InfluenceJson, InfluentialHole
from evaluation.tables.table import Column, DataTable, text_column
from evaluation.templatetags.findings import number_cell


@dataclass(frozen=True)
class HoleRow:
    """`place` in the order, from 1."""

    place: int
    hole: InfluentialHole


def influence_table(found: InfluenceJson) -> DataTable[HoleRow]:
    caption = (
        f"Holes by their influence on the differences between {found['systems']} systems in mean {found['measure']} "
        f"over {found['topics']} topics, under {found['rule']}"
    )
    rows = [HoleRow(place, hole) for place, hole in enumerate(found["top"], start=1)]
    return DataTable("holes", caption, _columns(found["weights"]), rows, places=6)


def _columns(weights: str) -> list[Column[HoleRow]]:
    passage, systems = (f"evaluation/influence/_{name}.html" for name in ("passage", "systems"))
    expected, label = ("Expected", f"expected by {weights}") if weights else ("", "")
    return [
        Column("", "Place", "place", lambda row: row.place),
        text_column("", "Topic", "topic", lambda row: row.hole["query_id"], is_row_head=True),
        text_column("", "Passage", "passage", lambda row: row.hole["passage_id"], passage),
        Column("", expected, label, lambda row: row.hole["value"], number_cell(5)),
        Column("", "Influence", "influence", lambda row: row.hole["influence"], number_cell(5)),
        Column("", "Through the ideal", "through the ideal", lambda row: row.hole["through_ideal"], number_cell(5)),
        text_column(
            *("", "Systems that have it, by rank", "systems by rank", lambda row: _systems(row.hole["ranks"]), systems),
            css="small",
        ),
    ]


def _systems(ranks: Sequence[HoleRank]) -> str:
    """
    >>> _systems([{"rank": 1, "systems": ["bm25", "dense"]}, {"rank": 4, "systems": ["rm3"]}])
    '1: bm25, dense; 4: rm3'
    """
    return "; ".join(f"{at['rank']}: {', '.join(at['systems'])}" for at in ranks)

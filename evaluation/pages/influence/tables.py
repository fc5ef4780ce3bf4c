"""The most influential holes as a table to keep."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.tables.table import Table


def influence_table(told: Mapping[str, Any]) -> Table:
    """Of what `influence.compute` tells."""
    caption = (
        f"Holes by their influence on the differences between {told['systems']} systems in mean {told['measure']} over "
        f"{told['topics']} topics, under {told['rule']}"
    )
    weighted = (f"expected by {told['weights']}",) if told["weights"] else ()
    columns = ("place", "topic", "passage", *weighted, "influence", "through the ideal", "systems by rank")
    rows = tuple(
        (
            place,
            hole["query_id"],
            hole["passage_id"],
            *((hole["value"],) if weighted else ()),
            hole["influence"],
            hole["through_ideal"],
            _systems(hole["ranks"]),
        )
        for place, hole in enumerate(told["top"], start=1)
    )
    return Table(caption, columns, rows, places=6)


def _systems(ranks: Sequence[Mapping[str, Any]]) -> str:
    """
    >>> _systems([{"rank": 1, "systems": ["bm25", "dense"]}, {"rank": 4, "systems": ["rm3"]}])
    '1: bm25, dense; 4: rm3'
    """
    return "; ".join(f"{at['rank']}: {', '.join(at['systems'])}" for at in ranks)

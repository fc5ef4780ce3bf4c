"""The tables of a hole study."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.studies.design import reporting
from evaluation.studies.kinds.holes import labels
from evaluation.studies.kinds.holes.strategies import Pattern
from evaluation.tables.table import Cell, Table

_WORDS = {
    "kappa_binary": "kappa, binary",
    "kappa": "kappa",
    "alpha_ordinal": "alpha, ordinal",
    "gamma": "gamma",
    "tau_b": "tau-b of labels",
}
# Means over trials, of what each trial has a whole number of.
_COUNTS = ("holes", "left open", "largest change of place", "pairs lost", "pairs found")

Row = Mapping[str, Any]


def make_tables(pattern: Pattern, rows: Sequence[Row], lowest: int) -> dict[str, Table]:
    """What became of the ranking, agreement on the holes and over all, confusion, systems; and what was left out."""
    found = {
        "ranking": _ranking(pattern, rows),
        "agreement": _agreement(pattern, rows, "on_holes", "on the holes alone"),
        "agreement-over-all": _agreement(pattern, rows, "over_all", "over all labels, those that were kept among them"),
        "confusion": _confusion(pattern, rows, lowest),
        "systems": _systems(pattern, rows),
    }
    return found | ({"left-out": _left_out(pattern, rows)} if pattern.leaves_out else {})


def _ranking(pattern: Pattern, rows: Sequence[Row]) -> Table:
    columns = ("fill", "taken away", "holes", "left open", "trials", "tau-b", "sd", "2.5 %", "median", "97.5 %")
    others = (
        "tau-b by gains",
        "tau-b, own ranking",
        "tau-AP",
        "largest change of place",
        "pairs lost",
        "pairs found",
        "RMSE of means",
    )
    return Table(
        f"Ranking with filled holes beside that with all grades, means over trials; holes: {pattern.text}",
        columns + others,
        reporting.whole_counts(_ranking_rows(rows), [(columns + others).index(name) for name in _COUNTS]),
        places=3,
    )


def _ranking_rows(rows: Sequence[Row]) -> list[tuple[Cell, ...]]:
    return [
        (
            *_head(row),
            row["dropped"]["mean"],
            row["unfilled"]["mean"],
            row["trials"],
            *(row["tau_b"][name] for name in ("mean", "sd", "low", "median", "high")),
            *(row.get(name, {}).get("mean") for name in ("tau_b_gain", "tau_b_own")),
            *(row[name]["mean"] for name in ("tau_ap", "largest_rank_change", "significant_lost")),
            *(row[name]["mean"] for name in ("significant_found", "rmse")),
        )
        for row in rows
    ]


def _agreement(pattern: Pattern, rows: Sequence[Row], where: str, words: str) -> Table:
    return Table(
        f"Agreement with the grades that were taken away, {words}; means over trials, holes: {pattern.text}",
        ("fill", "taken away", *(_WORDS[kind] for kind in labels.AGREEMENT_FIGURES)),
        tuple(
            (*_head(row), *(_mean(row[where][kind]) for kind in labels.AGREEMENT_FIGURES))
            for row in rows
            if _has_labels(row)
        ),
        places=3,
    )


def _confusion(pattern: Pattern, rows: Sequence[Row], lowest: int) -> Table:
    """At the largest share alone."""
    last = [row for row in rows if row["fraction"] == rows[-1]["fraction"] and _has_labels(row)]
    size = len(last[0]["on_holes"]["confusion"]) if last else 0
    return Table(
        f"Holes by the grade taken away (rows) and put in, mean over trials; holes: {pattern.text}{_at(rows)}",
        ("fill", "grade taken away", *(f"put in {lowest + place}" for place in range(size))),
        reporting.whole_counts(
            [
                (row["fill"], lowest + place, *counts)
                for row in last
                for place, counts in enumerate(row["on_holes"]["confusion"])
            ],
            range(2, 2 + size),
        ),
        places=1,
    )


def _systems(pattern: Pattern, rows: Sequence[Row]) -> Table:
    """At the largest share alone: places up, on average."""
    last = [row for row in rows if row["fraction"] == rows[-1]["fraction"]]
    risen = [{each["run_tag"]: each["places_up"]["mean"] for each in row["shift"]} for row in last]
    return Table(
        f"Places that systems rise (below 0 fall), mean over trials; holes: {pattern.text}{_at(rows)}",
        ("system", "mean", "place", *(row["fill"] for row in last)),
        tuple(
            (each["run_tag"], each["mean"], each["place"], *(up[each["run_tag"]] for up in risen))
            for each in last[0]["shift"]
        ),
        places=3,
    )


def _left_out(pattern: Pattern, rows: Sequence[Row]) -> Table:
    taus = [{each["name"]: each["tau_b"] for each in row["left_out"]} for row in rows]
    risen = [{each["name"]: each["places_up"] for each in row["left_out"]} for row in rows]
    names = [f"{what}, {row['fill']}" for row in rows for what in ("tau-b", "places up")]
    return Table(
        f"Who was left out of the pool, the grades that went, and what became of the ranking; holes: {pattern.text}",
        ("left out", "systems", "grades gone", *names),
        tuple(
            (
                each["name"],
                each["systems"],
                each["dropped"],
                *(cell for tau, up in zip(taus, risen, strict=True) for cell in (tau[each["name"]], up[each["name"]])),
            )
            for each in rows[0]["left_out"]
        ),
        places=3,
    )


def _head(row: Row) -> tuple[Cell, Cell]:
    return row["fill"], "" if row["fraction"] is None else f"{row['fraction']:g}"


def _at(rows: Sequence[Row]) -> str:
    return "" if rows[-1]["fraction"] is None else f", {rows[-1]['fraction']:.0%} taken away"


def _mean(figure: Mapping[str, Any]) -> Cell:
    mean: float | None = figure["mean"]
    return mean if mean is not None else f"undefined: {figure['reason']}"


def _has_labels(row: Row) -> bool:
    """Whether the filler puts a grade into some hole in some trial."""
    return any(map(any, row["on_holes"]["confusion"]))

"""The tables of a source study."""

from collections.abc import Mapping
from typing import Any

from evaluation.studies.design import reporting
from evaluation.tables.table import Table

_SHIFT = ("own_mean", "others_mean", "difference", "low", "high")


def make_tables(result: Mapping[str, Any]) -> dict[str, Table]:
    """Captions say of how many topics and systems; the facts of the report hold for all tables."""
    said = reporting.counted_words(len(result["topics"]), len(result["systems"]))
    found = {
        "systems": _systems(result, said),
        "against-people": _against(result, said),
        "changed-pairs": _changed(result, said),
        "labels": _labels(result, said),
        **({"circularity": _circularity(result, said)} if any(result["families"].values()) else {}),
        "shift-by-family": _by_family(result, said),
        "assessors": _assessors(result, said),
    }
    return {name: table for name, table in found.items() if table.rows}


def _systems(result: Mapping[str, Any], said: str) -> Table:
    rows = [
        (row["system"], each["name"], *(row[name] for name in ("mean", "low", "high", "judged")))
        for each in result["labels"]
        for row in each["systems"]
    ]
    heads = ("system", "labels", "mean", "low", "high", f"judged@{result['cutoff']}")
    return Table(f"{result['measure']} of the systems under each set of labels; {said}", heads, tuple(rows))


def _against(result: Mapping[str, Any], said: str) -> Table:
    rows = []
    for each in result["labels"][1:]:
        found = each["against"]
        taus = [
            reporting.number_cell(found[tau], name) for tau in ("tau_b", "tau_ap") for name in ("value", "low", "high")
        ]
        counts = [found["kept"], *(len(found[name]) for name in ("reversed", "lost", "found"))]
        rows.append((each["name"], *taus, *found["significant"], *counts))
    heads = ("tau-b", "low", "high", "tau-AP", "low", "high", "significant by people", "significant by these")
    return Table(
        "Each set of labels against people's: correlations of the rankings of systems, and pairs of systems by "
        f"Tukey's HSD: kept, reversed, lost, found; {said}",
        ("labels", *heads, "kept", "reversed", "lost", "found"),
        tuple(rows),
    )


def _changed(result: Mapping[str, Any], said: str) -> Table:
    rows = [
        (each["name"], what, first, second)
        for each in result["labels"][1:]
        for what in ("reversed", "lost", "found")
        for first, second in each["against"][what]
    ]
    caption = f"Pairs of systems that are significant by people's labels or by others, not by both alike; {said}"
    return Table(caption, ("labels", "what became of it", "system", "other system"), tuple(rows))


def _labels(result: Mapping[str, Any], said: str) -> Table:
    origins = sorted({origin for each in result["labels"] for row in each["systems"] for origin in row["labels"]})
    rows = [
        (each["name"], row["system"], *(row["labels"].get(origin) for origin in origins))
        for each in result["labels"]
        for row in each["systems"]
    ]
    caption = f"Whose labels stand at the first {result['cutoff']} ranks of each system, as shares; {said}"
    return Table(caption, ("labels", "system", *origins), tuple(rows))


def _circularity(result: Mapping[str, Any], said: str) -> Table:
    rows = []
    for each in result["labels"][1:]:
        found = each["against"]["circularity"]
        numbers = [reporting.number_cell(found, name) for name in _SHIFT]
        rows.append((each["name"], found["family"] or "not known", len(found["systems"]), *numbers))
    heads = ("judge", "systems of its family", "their change", "change of the others", "difference", "low", "high")
    caption = f"Mean change of {result['measure']} against people's labels, by the family of the judge; {said}"
    return Table(caption, ("labels", *heads), tuple(rows))


def _by_family(result: Mapping[str, Any], said: str) -> Table:
    rows = [
        (each["name"], found["family"], len(found["systems"]), *(reporting.number_cell(found, name) for name in _SHIFT))
        for each in result["labels"][1:]
        for found in each["against"]["by_family"]
    ]
    heads = ("family", "systems of it", "their change", "change of the others", "difference", "low", "high")
    caption = f"Mean change of {result['measure']} against people's labels, by the model families of runs; {said}"
    return Table(caption, ("labels", *heads), tuple(rows))


def _assessors(result: Mapping[str, Any], said: str) -> Table:
    names = ("grades", "becomes_hole", "changes_grade", "gains_grade")
    rows = [
        (
            each["assessor"],
            *(each[name] for name in names),
            *(reporting.number_cell(each, name) for name in ("tau_b", "tau_ap")),
            *(each[name] for name in ("moved", "largest_move", "mean_change")),
        )
        for each in result["assessors"]
    ]
    heads = ("grades", "pairs without a grade then", "pairs with another grade", "pairs with a grade only then")
    return Table(
        f"The ranking of systems without the grades of one assessor; consensus {result['consensus'].lower()}; {said}",
        ("without", *heads, "tau-b", "tau-AP", "systems that move", "largest move", "mean change"),
        tuple(rows),
    )

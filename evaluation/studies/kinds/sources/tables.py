"""The tables of a source study."""

from collections.abc import Mapping
from typing import Any

from evaluation.studies.design.reporting import Row, column, count_words, field_column, number_cell, number_column
from evaluation.tables.table import Column, Table, make_table

# A row of one set of labels: the set as a whole, and what was found of one system or family.
Pair = tuple[Row, Row]


def make_tables(result: Mapping[str, Any]) -> dict[str, Table]:
    """Captions say of how many topics and systems; the facts of the report hold for all tables."""
    counted = count_words(len(result["topics"]), len(result["systems"]))
    tables = {
        "systems": _systems(result, counted),
        "against-people": _against(result, counted),
        "changed-pairs": _changed(result, counted),
        "labels": _labels(result, counted),
        **({"circularity": _circularity(result, counted)} if any(result["families"].values()) else {}),
        "shift-by-family": _by_family(result, counted),
        "assessors": _assessors(result, counted),
    }
    return {name: table for name, table in tables.items() if table.rows}


def _pair_column(name: str, label: str = "") -> Column[Pair]:
    return column(label or name, lambda pair: pair[1][name])


def _systems(result: Mapping[str, Any], counted: str) -> Table:
    columns = [
        _pair_column("system"),
        column("labels", lambda pair: pair[0]["name"]),
        _pair_column("mean"),
        _pair_column("low"),
        _pair_column("high"),
        _pair_column("judged", f"judged@{result['cutoff']}"),
    ]
    caption = f"{result['measure']} of the systems under each set of labels; {counted}"
    return make_table(caption, columns, _by_system(result))


def _against(result: Mapping[str, Any], counted: str) -> Table:
    columns = [
        field_column("name", "labels"),
        *(
            _tau_column(tau, name, label if name == "value" else name)
            for tau, label in (("tau_b", "tau-b"), ("tau_ap", "tau-AP"))
            for name in ("value", "low", "high")
        ),
        column("significant by people", lambda each: each["against"]["significant"][0]),
        column("significant by these", lambda each: each["against"]["significant"][1]),
        column("kept", lambda each: each["against"]["kept"]),
        column("reversed", lambda each: len(each["against"]["reversed"])),
        column("lost", lambda each: len(each["against"]["lost"])),
        column("found", lambda each: len(each["against"]["found"])),
    ]
    caption = (
        "Each set of labels against people's: correlations of the rankings of systems, and pairs of systems by "
        f"Tukey's HSD: kept, reversed, lost, found; {counted}"
    )
    return make_table(caption, columns, result["labels"][1:])


def _tau_column(tau: str, name: str, label: str) -> Column[Row]:
    return column(label, lambda each: number_cell(each["against"][tau], name))


def _changed(result: Mapping[str, Any], counted: str) -> Table:
    rows = [
        {"labels": each["name"], "change": change, "first": first, "second": second}
        for each in result["labels"][1:]
        for change in ("reversed", "lost", "found")
        for first, second in each["against"][change]
    ]
    columns = [
        field_column("labels"),
        field_column("change", "what became of it"),
        field_column("first", "system"),
        field_column("second", "other system"),
    ]
    caption = f"Pairs of systems that are significant by people's labels or by others, not by both alike; {counted}"
    return make_table(caption, columns, rows)


def _labels(result: Mapping[str, Any], counted: str) -> Table:
    origins = sorted({origin for each in result["labels"] for row in each["systems"] for origin in row["labels"]})

    def origin_column(origin: str) -> Column[Pair]:
        return column(origin, lambda pair: pair[1]["labels"].get(origin))

    columns = [column("labels", lambda pair: pair[0]["name"]), _pair_column("system"), *map(origin_column, origins)]
    caption = f"Whose labels stand at the first {result['cutoff']} ranks of each system, as shares; {counted}"
    return make_table(caption, columns, _by_system(result))


def _circularity(result: Mapping[str, Any], counted: str) -> Table:
    columns = [
        column("labels", lambda pair: pair[0]["name"]),
        column("judge", lambda pair: pair[1]["family"] or "not known"),
        column("systems of its family", lambda pair: len(pair[1]["systems"])),
        *_shift_columns(),
    ]
    caption = f"Mean change of {result['measure']} against people's labels, by the family of the judge; {counted}"
    return make_table(caption, columns, [(each, each["against"]["circularity"]) for each in result["labels"][1:]])


def _by_family(result: Mapping[str, Any], counted: str) -> Table:
    columns = [
        column("labels", lambda pair: pair[0]["name"]),
        _pair_column("family"),
        column("systems of it", lambda pair: len(pair[1]["systems"])),
        *_shift_columns(),
    ]
    rows = [(each, family) for each in result["labels"][1:] for family in each["against"]["by_family"]]
    caption = f"Mean change of {result['measure']} against people's labels, by the model families of runs; {counted}"
    return make_table(caption, columns, rows)


def _shift_columns() -> list[Column[Pair]]:
    def shift_column(name: str, label: str) -> Column[Pair]:
        return column(label, lambda pair: number_cell(pair[1], name))

    return [
        shift_column("own_mean", "their change"),
        shift_column("others_mean", "change of the others"),
        shift_column("difference", "difference"),
        shift_column("low", "low"),
        shift_column("high", "high"),
    ]


def _assessors(result: Mapping[str, Any], counted: str) -> Table:
    columns = [
        field_column("assessor", "without"),
        field_column("grades"),
        field_column("becomes_hole", "pairs without a grade then"),
        field_column("changes_grade", "pairs with another grade"),
        field_column("gains_grade", "pairs with a grade only then"),
        number_column("tau_b", "tau-b"),
        number_column("tau_ap", "tau-AP"),
        field_column("moved", "systems that move"),
        field_column("largest_move", "largest move"),
        field_column("mean_change", "mean change"),
    ]
    rule = result["consensus"].lower()
    caption = f"The ranking of systems without the grades of one assessor; consensus {rule}; {counted}"
    return make_table(caption, columns, result["assessors"])


def _by_system(result: Mapping[str, Any]) -> list[Pair]:
    return [(each, row) for each in result["labels"] for row in each["systems"]]

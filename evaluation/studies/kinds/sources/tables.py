"""The tables of a source study."""

from collections.abc import Mapping
from typing import Any

from evaluation.plots.figure import Figure
from evaluation.studies import design
from evaluation.studies.design import Facts, Row, column, field_columns, number_columns, wrap_subtitle
from evaluation.tables.table import Column, Table, make_table


def make_figures(result: Mapping[str, Any], facts: Facts) -> dict[str, Figure]:
    subtitle = design.facts_sentence(facts)
    figures = {
        "systems": _systems_figure(result, subtitle),
        "labels": _labels_figure(result, subtitle),
        "circularity": _circularity_figure(result, subtitle),
        "assessors": _assessors_figure(result, subtitle),
    }
    return {name: figure for name, figure in figures.items() if figure.rows}


def _systems_figure(result: Mapping[str, Any], subtitle: str) -> Figure:
    """Each system from its mean under people's labels to those under the others."""
    means = [(each["name"], {row["system"]: row["mean"] for row in each["systems"]}) for each in result["labels"]]
    first, last = means[0][1], means[-1][1]
    rows: list[dict[str, object]] = [
        {"system": system, "side": name, "value": of_labels[system], "moved": _moved(first, last, system)}
        for name, of_labels in means
        for system in sorted(of_labels)
    ]
    return Figure(
        "slopes",
        f"{result['measure']} of each system under each set of labels",
        f"A line for each of {len(first)} systems, from people's labels on the left to {means[-1][0]} on the right; "
        f"lines of systems that lose places are dashed, of those that win some blue. {subtitle}",
        rows,
        {"y": result["measure"], "subtitle": wrap_subtitle(subtitle)},
    )


def _labels_figure(result: Mapping[str, Any], subtitle: str) -> Figure:
    rows: list[dict[str, object]] = []
    origins = _origins(result)
    for each in result["labels"]:
        start = 0.0
        for origin in origins:
            share = sum(row["labels"].get(origin, 0.0) for row in each["systems"]) / len(each["systems"])
            text = f"{origin} {100 * share:.0f} %"
            rows.append({"row": each["name"], "part": origin, "share": share, "start": start, "text": text})
            start += share
    return Figure(
        "shares",
        f"Whose labels stand at the first {result['cutoff']} ranks, mean over the systems",
        f"A bar for each set of labels; a hole has no label. {subtitle}",
        rows,
        {"x": f"share of the first {result['cutoff']} ranks", "subtitle": wrap_subtitle(subtitle)},
    )


def _circularity_figure(result: Mapping[str, Any], subtitle: str) -> Figure:
    rows: list[dict[str, object]] = [
        {"system": each["name"], "mean": shift["difference"], "low": shift["low"], "high": shift["high"]}
        for each in result["labels"][1:]
        if (shift := each["against"]["circularity"])["difference"] is not None
    ]
    return Figure(
        "means",
        "How much more systems of the judge's family gained than the others",
        f"A point for each set of labels with its interval; right of 0 the judge's own family gained. {subtitle}",
        rows,
        {"x": f"difference of the mean changes of {result['measure']}", "subtitle": wrap_subtitle(subtitle)},
    )


def _assessors_figure(result: Mapping[str, Any], subtitle: str) -> Figure:
    rows: list[dict[str, object]] = [
        {"system": each["assessor"], "mean": each["tau_b"], "low": None, "high": None}
        for each in sorted(result["assessors"], key=lambda each: (each["tau_b"] or 0.0, each["assessor"]))
        if each["tau_b"] is not None
    ]
    return Figure(
        "means",
        "tau-b of the ranking of systems with and without the grades of one assessor",
        f"A point for each assessor left out, the most influential on top. {subtitle}",
        rows,
        {"x": "tau-b with the ranking by everybody's grades", "subtitle": wrap_subtitle(subtitle)},
    )


def _moved(first: Mapping[str, float], last: Mapping[str, float], system: str) -> str:
    before, after = (sum(mean > means[system] for mean in means.values()) for means in (first, last))
    return "same" if before == after else "rising" if after < before else "falling"


_SHIFT = number_columns(
    ("own_mean", "their change"), ("others_mean", "change of the others"), "difference", "low", "high"
)


def make_tables(result: Mapping[str, Any]) -> dict[str, Table]:
    """Captions say of how many topics and systems; the facts of the report hold for all tables."""
    counted = design.count_words(len(result["topics"]), len(result["systems"]))
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


def _systems(result: Mapping[str, Any], counted: str) -> Table:
    judged = ("judged", f"judged@{result['cutoff']}")
    columns = field_columns("system", ("name", "labels"), "mean", "low", "high", judged)
    caption = f"{result['measure']} of the systems under each set of labels; {counted}"
    return make_table(caption, columns, _by_system(result))


def _against(result: Mapping[str, Any], counted: str) -> Table:
    columns = [
        *field_columns(("name", "labels")),
        *number_columns(("tau_b.value", "tau-b"), ("tau_b.low", "low"), ("tau_b.high", "high")),
        *number_columns(("tau_ap.value", "tau-AP"), ("tau_ap.low", "low"), ("tau_ap.high", "high")),
        column("significant by people", lambda each: each["significant"][0]),
        column("significant by these", lambda each: each["significant"][1]),
        *field_columns("kept"),
        column("reversed", lambda each: len(each["reversed"])),
        column("lost", lambda each: len(each["lost"])),
        column("found", lambda each: len(each["found"])),
    ]
    caption = (
        "Each set of labels against people's: correlations of the rankings of systems, and pairs of systems by "
        f"Tukey's HSD: kept, reversed, lost, found; {counted}"
    )
    return make_table(caption, columns, [{**each["against"], "name": each["name"]} for each in result["labels"][1:]])


def _changed(result: Mapping[str, Any], counted: str) -> Table:
    rows = [
        {"labels": each["name"], "change": change, "first": first, "second": second}
        for each in result["labels"][1:]
        for change in ("reversed", "lost", "found")
        for first, second in each["against"][change]
    ]
    columns = field_columns("labels", ("change", "what became of it"), ("first", "system"), ("second", "other system"))
    caption = f"Pairs of systems that are significant by people's labels or by others, not by both alike; {counted}"
    return make_table(caption, columns, rows)


def _labels(result: Mapping[str, Any], counted: str) -> Table:
    def origin_column(origin: str) -> Column[Row]:
        return column(origin, lambda row: row["labels"].get(origin))

    columns = [*field_columns(("name", "labels"), "system"), *map(origin_column, _origins(result))]
    caption = f"Whose labels stand at the first {result['cutoff']} ranks of each system, as shares; {counted}"
    return make_table(caption, columns, _by_system(result))


def _circularity(result: Mapping[str, Any], counted: str) -> Table:
    columns = [
        *field_columns(("name", "labels")),
        column("judge", lambda shift: shift["family"] or "not known"),
        column("systems of its family", lambda shift: len(shift["systems"])),
        *_SHIFT,
    ]
    caption = f"Mean change of {result['measure']} against people's labels, by the family of the judge; {counted}"
    rows = [{**each["against"]["circularity"], "name": each["name"]} for each in result["labels"][1:]]
    return make_table(caption, columns, rows)


def _by_family(result: Mapping[str, Any], counted: str) -> Table:
    systems: Column[Row] = column("systems of it", lambda shift: len(shift["systems"]))
    columns = [*field_columns(("name", "labels"), "family"), systems, *_SHIFT]
    rows = [
        {**family, "name": each["name"]} for each in result["labels"][1:] for family in each["against"]["by_family"]
    ]
    caption = f"Mean change of {result['measure']} against people's labels, by the model families of runs; {counted}"
    return make_table(caption, columns, rows)


def _assessors(result: Mapping[str, Any], counted: str) -> Table:
    columns = [
        *field_columns(
            ("assessor", "without"),
            "grades",
            ("becomes_hole", "pairs without a grade then"),
            ("changes_grade", "pairs with another grade"),
            ("gains_grade", "pairs with a grade only then"),
        ),
        *number_columns(("tau_b", "tau-b"), ("tau_ap", "tau-AP")),
        *field_columns(
            ("moved", "systems that move"), ("largest_move", "largest move"), ("mean_change", "mean change")
        ),
    ]
    rule = result["consensus"].lower()
    caption = f"The ranking of systems without the grades of one assessor; consensus {rule}; {counted}"
    return make_table(caption, columns, result["assessors"])


def _by_system(result: Mapping[str, Any]) -> list[Row]:
    """What was found of each system under each set of labels, with the `name` of the set."""
    return [{**row, "name": each["name"]} for each in result["labels"] for row in each["systems"]]


def _origins(result: Mapping[str, Any]) -> list[str]:
    """Whose labels there are at the first ranks."""
    return sorted({origin for row in _by_system(result) for origin in row["labels"]})

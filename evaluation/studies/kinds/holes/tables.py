"""The tables of a hole study."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.plots.figure import Figure
from evaluation.studies.design import Row, column, field_columns, with_whole_counts
from evaluation.studies.kinds.holes import systems
from evaluation.studies.kinds.holes.plan import Pattern, parse_filler
from evaluation.tables.table import Cell, Column, Table, make_table


def make_figures(pattern: Pattern, rows: Sequence[Row], result: Mapping[str, Any]) -> dict[str, Figure]:
    """Ranking and agreement by fraction; of a pattern without fractions the ranking with each filler."""
    about = _about(pattern, rows, result)
    if not pattern.has_fractions:
        return {"ranking": _by_filler(pattern, rows, about)}
    figures = {
        "ranking": _curves(
            "Ranking of systems", pattern, [_ranking_mark(row) for row in rows], "tau-b with all grades", about
        )
    }
    labelled = [row for row in rows if row["on_holes"]["alpha_ordinal"]["mean"] is not None]
    if labelled:
        on_holes = [_point(row, row["on_holes"]["alpha_ordinal"]) for row in labelled]
        over_all = [_point(row, row["over_all"]["alpha_ordinal"]) for row in labelled]
        y = "Krippendorff's alpha, ordinal"
        figures["agreement"] = _curves("Agreement on the holes alone", pattern, on_holes, y, about)
        figures["agreement-over-all"] = _curves(
            "Agreement over all labels, those that were kept among them", pattern, over_all, y, about
        )
    return figures


def _curves(what: str, pattern: Pattern, rows: list[dict[str, object]], y: str, about: str) -> Figure:
    lines = list(dict.fromkeys(row["line"] for row in rows))
    defined = [f"{row['line']} {row['x']:.0%}: {row['y']:.3f}" for row in rows if isinstance(row["y"], float)]
    return Figure(
        chart="curves",
        title=f"{what}, holes: {pattern.text}",
        description=f"{len(lines)} lines with bands from the 2.5 to the 97.5 % quantile over trials. "
        f"{' '.join(about.splitlines())} {'; '.join(defined)}.",
        rows=rows,
        words={"x": "share taken away", "y": y, "subtitle": f"Mean and 2.5 to 97.5 % of trials. {about}"},
    )


def _by_filler(pattern: Pattern, rows: Sequence[Row], about: str) -> Figure:
    shown = [
        {"system": line["line"], "mean": line["y"], "low": line["low"], "high": line["high"]}
        for line in map(_ranking_mark, rows)
        if line["y"] is not None
    ]
    means = "; ".join(f"{row['system']}: {row['mean']:.3f}" for row in shown)
    return Figure(
        chart="means",
        title=f"Ranking of systems, holes: {pattern.text}",
        description=f"Mean tau-b with the ranking by all grades. {' '.join(about.splitlines())} {means}.",
        rows=shown,
        words={"x": "tau-b with all grades", "subtitle": f"Mean and 2.5 to 97.5 % of trials. {about}"},
    )


def _ranking_mark(row: Row) -> dict[str, object]:
    """By expected gains where the filler has them."""
    return _point(row, row.get("tau_b_gain", row["tau_b"]))


def _point(row: Row, figure: Mapping[str, Any]) -> dict[str, object]:
    return {
        "line": f"{row['fill']} (gains)" if figure is row.get("tau_b_gain") else row["fill"],
        "x": row["fraction"],
        "y": figure["mean"],
        "low": figure["low"],
        "high": figure["high"],
        "is_beside": parse_filler(row["fill"]).is_trivial,
    }


def _about(pattern: Pattern, rows: Sequence[Row], result: Mapping[str, Any]) -> str:
    plan = result["plan"]
    times = "trial" if (most := max(row["trials"] for row in rows)) == 1 else "trials"
    return (
        f"{result['systems']} systems, {result['topics']} topics, {most} {times}, seed {plan['seed']}.\n"
        f"{result['measure']}, gain {plan['gain']}; unjudged passages gain nothing; equal scores stand "
        "by passage id, equal means tie.\n"
        f"Taken away: {pattern.words}."
    )


_WORDS = {
    "kappa_binary": "kappa, binary",
    "kappa": "kappa",
    "alpha_ordinal": "alpha, ordinal",
    "gamma": "gamma",
    "tau_b": "tau-b of labels",
}


def _mean_column(name: str, label: str) -> Column[Row]:
    """Of a figure the mean over trials; nothing where the fill has no such figure."""
    return column(label, lambda row: row.get(name, {}).get("mean"))


_HEAD = [
    *field_columns("fill"),
    column("taken away", lambda row: "" if row["fraction"] is None else f"{row['fraction']:g}"),
]
_RANKING = [
    *_HEAD,
    _mean_column("dropped", "holes"),
    _mean_column("unfilled", "left open"),
    *field_columns("trials", ("tau_b.mean", "tau-b"), ("tau_b.sd", "sd")),
    *field_columns(("tau_b.low", "2.5 %"), ("tau_b.median", "median"), ("tau_b.high", "97.5 %")),
    _mean_column("tau_b_gain", "tau-b by gains"),
    _mean_column("tau_b_own", "tau-b, own ranking"),
    _mean_column("tau_ap", "tau-AP"),
    _mean_column("largest_rank_change", "largest change of place"),
    _mean_column("significant_lost", "pairs lost"),
    _mean_column("significant_found", "pairs found"),
    _mean_column("rmse", "RMSE of means"),
]
# Means over trials, of what each trial has a whole number of.
_COUNTS = ("holes", "left open", "largest change of place", "pairs lost", "pairs found")


def make_tables(pattern: Pattern, rows: Sequence[Row], lowest: int) -> dict[str, Table]:
    """What became of the ranking, agreement on the holes and over all, confusion, systems; and what was left out."""
    result = {
        "ranking": _ranking(pattern, rows),
        "agreement": _agreement(pattern, rows, "on_holes", "on the holes alone"),
        "agreement-over-all": _agreement(pattern, rows, "over_all", "over all labels, those that were kept among them"),
        "confusion": _confusion(pattern, rows, lowest),
        "systems": _systems(pattern, rows),
    }
    return result | ({"left-out": _left_out(pattern, rows)} if pattern.leaves_out else {})


def _ranking(pattern: Pattern, rows: Sequence[Row]) -> Table:
    caption = f"Ranking with filled holes beside that with all grades, means over trials; holes: {pattern.text}"
    return with_whole_counts(make_table(caption, _RANKING, rows, places=3), _COUNTS)


def _agreement(pattern: Pattern, rows: Sequence[Row], where: str, words: str) -> Table:
    caption = f"Agreement with the grades that were taken away, {words}; means over trials, holes: {pattern.text}"

    def figure_column(kind: str) -> Column[Row]:
        return column(_WORDS[kind], lambda row: _mean(row[where][kind]))

    columns = [*_HEAD, *map(figure_column, systems.AGREEMENT_FIGURES)]
    return make_table(caption, columns, filter(_has_labels, rows), places=3)


def _confusion(pattern: Pattern, rows: Sequence[Row], lowest: int) -> Table:
    """At the largest share alone. A row is a fill, a grade taken away, and how often each grade was put in."""
    last = [row for row in rows if row["fraction"] == rows[-1]["fraction"] and _has_labels(row)]
    size = len(last[0]["on_holes"]["confusion"]) if last else 0
    lines = [
        {"fill": row["fill"], "grade": lowest + place, "counts": counts}
        for row in last
        for place, counts in enumerate(row["on_holes"]["confusion"])
    ]

    def count_column(place: int) -> Column[Row]:
        return column(f"put in {lowest + place}", lambda line: line["counts"][place])

    counts = [count_column(place) for place in range(size)]
    columns = [*field_columns("fill", ("grade", "grade taken away")), *counts]
    caption = f"Holes by the grade taken away (rows) and put in, mean over trials; holes: {pattern.text}{_at(rows)}"
    return with_whole_counts(make_table(caption, columns, lines, places=1), [each.labels[0] for each in counts])


def _systems(pattern: Pattern, rows: Sequence[Row]) -> Table:
    """At the largest share alone: places up, on average."""
    last = [row for row in rows if row["fraction"] == rows[-1]["fraction"]]

    def fill_column(row: Row) -> Column[Row]:
        risen = {each["run_tag"]: each["places_up"]["mean"] for each in row["shift"]}
        return column(row["fill"], lambda system: risen[system["run_tag"]])

    columns = [*field_columns(("run_tag", "system"), "mean", "place"), *map(fill_column, last)]
    caption = f"Places that systems rise (below 0 fall), mean over trials; holes: {pattern.text}{_at(rows)}"
    return make_table(caption, columns, last[0]["shift"], places=3)


def _left_out(pattern: Pattern, rows: Sequence[Row]) -> Table:
    def fill_columns(row: Row) -> list[Column[Row]]:
        result = {each["name"]: each for each in row["left_out"]}
        return [
            column(f"tau-b, {row['fill']}", lambda each: result[each["name"]]["tau_b"]),
            column(f"places up, {row['fill']}", lambda each: result[each["name"]]["places_up"]),
        ]

    columns = field_columns(("name", "left out"), "systems", ("dropped", "grades gone"))
    columns += [each for row in rows for each in fill_columns(row)]
    caption = (
        f"Who was left out of the pool, the grades that went, and what became of the ranking; holes: {pattern.text}"
    )
    return make_table(caption, columns, rows[0]["left_out"], places=3)


def _at(rows: Sequence[Row]) -> str:
    return "" if rows[-1]["fraction"] is None else f", {rows[-1]['fraction']:.0%} taken away"


def _mean(figure: Mapping[str, Any]) -> Cell:
    mean: float | None = figure["mean"]
    return mean if mean is not None else f"undefined: {figure['reason']}"


def _has_labels(row: Row) -> bool:
    """Whether the filler puts a grade into some hole in some trial."""
    return any(map(any, row["on_holes"]["confusion"]))

"""The figures of a hole study."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.plots.figure import Figure
from evaluation.studies.kinds.holes import strategies
from evaluation.studies.kinds.holes.strategies import Pattern

Row = Mapping[str, Any]


def make_figures(pattern: Pattern, rows: Sequence[Row], result: Mapping[str, Any]) -> dict[str, Figure]:
    """Ranking and agreement by fraction; of a pattern without fractions the ranking with each filler."""
    about = _about(pattern, rows, result)
    if not pattern.has_fractions:
        return {"ranking": _by_filler(pattern, rows, about)}
    figures = {
        "ranking": _curves(
            "Ranking of systems", pattern, [_ranking(row) for row in rows], "tau-b with all grades", about
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
        for line in map(_ranking, rows)
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


def _ranking(row: Row) -> dict[str, object]:
    """By expected gains where the filler has them."""
    return _point(row, row.get("tau_b_gain", row["tau_b"]))


def _point(row: Row, figure: Mapping[str, Any]) -> dict[str, object]:
    return {
        "line": f"{row['fill']} (gains)" if figure is row.get("tau_b_gain") else row["fill"],
        "x": row["fraction"],
        "y": figure["mean"],
        "low": figure["low"],
        "high": figure["high"],
        "is_beside": strategies.parse_filler(row["fill"]).is_trivial,
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

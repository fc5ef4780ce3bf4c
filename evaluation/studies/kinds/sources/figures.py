"""The figures of a source study."""

from collections.abc import Mapping
from typing import Any

from evaluation.plots.figure import Figure
from evaluation.studies.design.reporting import Facts, facts_sentence, wrap_subtitle


def make_figures(result: Mapping[str, Any], facts: Facts) -> dict[str, Figure]:
    subtitle = facts_sentence(facts)
    figures = {
        "systems": _systems(result, subtitle),
        "labels": _labels(result, subtitle),
        "circularity": _circularity(result, subtitle),
        "assessors": _assessors(result, subtitle),
    }
    return {name: figure for name, figure in figures.items() if figure.rows}


def _systems(result: Mapping[str, Any], subtitle: str) -> Figure:
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


def _labels(result: Mapping[str, Any], subtitle: str) -> Figure:
    rows: list[dict[str, object]] = []
    origins = sorted({origin for each in result["labels"] for row in each["systems"] for origin in row["labels"]})
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


def _circularity(result: Mapping[str, Any], subtitle: str) -> Figure:
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


def _assessors(result: Mapping[str, Any], subtitle: str) -> Figure:
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
    """What becomes of the place of a system."""
    before, after = (sum(mean > means[system] for mean in means.values()) for means in (first, last))
    return "same" if before == after else "rising" if after < before else "falling"

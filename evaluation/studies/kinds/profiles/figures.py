"""The figures of a profile study."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.plots.figure import Figure
from evaluation.statistics import system_pairs
from evaluation.studies.design.reporting import Facts, facts_sentence, wrap_subtitle
from evaluation.studies.kinds.profiles import findings

_CLASSES = {
    "AA": "AA both tell the two systems apart, the same way",
    "AD": "AD both tell them apart, opposite ways",
    "MA": "MA one does, and the other does not contradict it",
    "MD": "MD one does, and the other has them the other way round",
    "PA": "PA none does, and both have them the same way round",
    "PD": "PD none does, and they have them opposite ways round",
}
CLASSES = "; ".join(_CLASSES.values())


def make_figures(result: Mapping[str, Any], facts: Facts) -> dict[str, Figure]:
    """Of the last side: the filled one where there is one. `missing` shows both, and needs both."""
    side = result["sides"][-1]
    subtitle = facts_sentence(facts)
    figures = {
        "systems-by-profile": _cells(result, side, subtitle),
        "profile-means": _means(result, side, subtitle),
        "missing": _missing(result, subtitle),
        "rankings": _rankings(result, side, subtitle),
        "pair-classes": _classes(side, subtitle),
    }
    return {name: figure for name, figure in figures.items() if figure.rows}


def _cells(result: Mapping[str, Any], side: Mapping[str, Any], subtitle: str) -> Figure:
    """Systems and profiles by their means, the best first."""
    cells = {(cell["system"], cell["profile"]): cell["mean"] for cell in side["means"]["cells"]}
    seed = {each["system"]: each["mean"] for each in side["means"]["seed"]}
    profiles = _by_mean(side)
    means = {
        system: sum(cells[system, profile] for profile in profiles) / len(profiles) for system in result["systems"]
    }
    systems = sorted(means, key=lambda system: (-means[system], system))
    rows = [_cell(system, profile, cells[system, profile]) for system in systems for profile in profiles]
    rows += [_cell(system, findings.SEED, seed.get(system)) for system in systems if seed]
    return Figure(
        "grid",
        f"{result['measure']} of each system by the variants of each profile",
        f"A heat map of {len(systems)} systems and {len(profiles)} profiles, the best first, darker is higher. "
        f"{subtitle}",
        _scaled(rows),
        {"rows": "system", "columns": "profile", "subtitle": wrap_subtitle(subtitle)},
    )


def _means(result: Mapping[str, Any], side: Mapping[str, Any], subtitle: str) -> Figure:
    means = {each["profile"]: each for each in side["means"]["profiles"]}
    rows = [
        {"system": profile, **{name: means[profile][name] for name in ("mean", "low", "high")}}
        for profile in _by_mean(side)
    ]
    return Figure(
        "means",
        f"{result['measure']} by profile, mean over the systems",
        f"A point for each profile with its interval over topics, the best on top. {subtitle}",
        rows,
        {"x": result["measure"], "subtitle": wrap_subtitle(subtitle)},
    )


def _missing(result: Mapping[str, Any], subtitle: str) -> Figure:
    sides = [{each["profile"]: each["missing"] for each in side["means"]["profiles"]} for side in result["sides"]]
    first, last = sides[0], sides[-1]
    rows = [
        {"row": profile, "before": first[profile], "after": last[profile]}
        for profile in sorted(first, key=lambda profile: (-first[profile], profile))
        if len(sides) > 1
    ]
    return Figure(
        "changes",
        f"Share of the first {result['cutoff']} passages without a grade, by profile",
        f"Two points for each profile, before and after the holes were filled. {subtitle}",
        rows,
        {
            "x": f"missing@{result['cutoff']}",
            "before": "before",
            "after": "after filling",
            "subtitle": wrap_subtitle(subtitle),
        },
    )


def _rankings(result: Mapping[str, Any], side: Mapping[str, Any], subtitle: str) -> Figure:
    tau = {
        pair: each["tau_b"]
        for each in side["rankings"]
        for pair in ((each["first"], each["second"]), (each["second"], each["first"]))
    }
    names = _by_mean(side) + ([findings.SEED] if side["means"]["seed"] else [])
    rows = [_cell(row, column, tau.get((row, column))) for row in names for column in names if tau]
    return Figure(
        "grid",
        "Kendall's tau-b between the rankings of systems by two profiles",
        f"A heat map of {len(names)} by {len(names)}; darker is higher, and the diagonal is empty. {subtitle}",
        _scaled(rows),
        {"rows": "", "columns": "", "subtitle": wrap_subtitle(subtitle)},
    )


def _classes(side: Mapping[str, Any], subtitle: str) -> Figure:
    rows: list[dict[str, object]] = []
    for group in side["pairs"]["by_method"]:
        start = 0.0
        for name in system_pairs.CLASSES:
            share = group[name]
            if share is not None:
                row = f"{group['method']} ({group['profile_pairs']})"
                rows.append({"row": row, "part": name, "share": share, "start": start, "text": _percent(name, share)})
                start += share
    return Figure(
        "shares",
        "Pairs of systems that two profiles tell apart, mean over pairs of profiles",
        f"A bar for each way in which variants come about; in brackets the pairs of profiles. {CLASSES}. {subtitle}",
        rows,
        {"x": "share of the pairs of systems", "subtitle": wrap_subtitle(f"{CLASSES}. {subtitle}")},
    )


def _by_mean(side: Mapping[str, Any]) -> list[str]:
    ordered = sorted(side["means"]["profiles"], key=lambda each: (-each["mean"], each["profile"]))
    return [each["profile"] for each in ordered]


def _cell(row: str, column: str, number: float | None) -> dict[str, object]:
    text = "" if number is None else f"{number:.2f}".replace("0.", ".", 1)
    return {"row": row, "column": column, "heat": number, "text": text}


def _scaled(rows: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """Heat from 0 at the lowest number to 1 at the highest."""
    numbers = [float(str(row["heat"])) for row in rows if row["heat"] is not None]
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    span = (high - low) or 1.0
    return [
        {**row, "heat": None if row["heat"] is None else round((float(str(row["heat"])) - low) / span, 6)}
        for row in rows
    ]


def _percent(name: str, share: float) -> str:
    return f"{name} {100 * share:.0f} %"

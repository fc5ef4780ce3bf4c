"""The tables of a profile study."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluation.plots.figure import Figure
from evaluation.statistics import system_pairs
from evaluation.studies import design
from evaluation.studies.design import Facts, Row, column, field_columns, number_columns, wrap_subtitle
from evaluation.studies.kinds.profiles import findings
from evaluation.tables.table import Column, Table, make_table

_CLASS_NAMES = {
    "AA": "AA both tell the two systems apart, the same way",
    "AD": "AD both tell them apart, opposite ways",
    "MA": "MA one does, and the other does not contradict it",
    "MD": "MD one does, and the other has them the other way round",
    "PA": "PA none does, and both have them the same way round",
    "PD": "PD none does, and they have them opposite ways round",
}
CLASSES = "; ".join(_CLASS_NAMES.values())


def make_figures(result: Mapping[str, Any], facts: Facts) -> dict[str, Figure]:
    """Of the last side: the filled one where there is one. `missing` shows both, and needs both."""
    side = result["sides"][-1]
    subtitle = design.facts_sentence(facts)
    figures = {
        "systems-by-profile": _cells_figure(result, side, subtitle),
        "profile-means": _means(result, side, subtitle),
        "missing": _missing(result, subtitle),
        "rankings": _rankings_figure(result, side, subtitle),
        "pair-classes": _classes_figure(side, subtitle),
    }
    return {name: figure for name, figure in figures.items() if figure.rows}


def _cells_figure(result: Mapping[str, Any], side: Mapping[str, Any], subtitle: str) -> Figure:
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


def _rankings_figure(result: Mapping[str, Any], side: Mapping[str, Any], subtitle: str) -> Figure:
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


def _classes_figure(side: Mapping[str, Any], subtitle: str) -> Figure:
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


Side = Mapping[str, Any]

_EFFECT = [
    *field_columns(("name", "effect"), ("sum_of_squares", "sum of squares"), "df"),
    *number_columns(("mean_square", "mean square")),
    column("F", lambda row: _test_cell(row, "f")),
    column("p", lambda row: _test_cell(row, "p")),
    column("partial omega squared", lambda row: _test_cell(row, "partial_omega_squared")),
]
_CLASSES = number_columns(*system_pairs.CLASSES)


def make_tables(result: Mapping[str, Any]) -> dict[str, Table]:
    """Of the last side; `profiles` shows both sides. Captions say of how many topics and systems; the facts of the
    report hold for all of them."""
    side = result["sides"][-1]
    counted = design.count_words(len(result["topics"]), len(result["systems"]))
    tables = {
        "profiles": _profiles(result, counted),
        "systems-by-profile": _cells(side, f"{result['measure']} of each system by profile; {counted}"),
        "rankings": _rankings(side, counted),
        "three-way-anova": make_table(
            f"Three-way analysis of variance; {counted}", _EFFECT, _effects(side["variance"]["three_way"])
        ),
        "two-way-anova": _two_way(side, counted),
        "pair-classes-by-method": _by_method(side, counted),
        "pair-classes": _classes(side, counted),
        "against-seed": _against_seed(side, counted),
    }
    return {name: table for name, table in tables.items() if table.rows}


def _profiles(result: Mapping[str, Any], counted: str) -> Table:
    methods = {each["profile"]: each["method"] for each in result["profiles"]}
    tested = {each["profile"]: each["significant"] for each in result["sides"][-1]["pairs"]["tested"]}

    def side_columns(side: Side) -> list[Column[str]]:
        means = {each["profile"]: each for each in side["means"]["profiles"]}
        labels = {"mean": "mean", "low": "low", "high": "high", "missing": f"missing@{result['cutoff']}"}
        return [_side_column(means, name, f"{label} {side['side']}") for name, label in labels.items()]

    columns: list[Column[str]] = [
        column("profile", lambda profile: profile),
        column("method", lambda profile: methods[profile]),
        *(each for side in result["sides"] for each in side_columns(side)),
        column("significant pairs", lambda profile: tested[profile]),
    ]
    caption = f"{result['measure']} by profile, mean over systems; pairs that Tukey's HSD tells apart; {counted}"
    return make_table(caption, columns, sorted(methods))


def _side_column(means: Mapping[str, Row], name: str, label: str) -> Column[str]:
    return column(label, lambda profile: means[profile][name])


def _cells(side: Side, caption: str) -> Table:
    seeds = [{**each, "profile": findings.SEED, "missing": None} for each in side["means"]["seed"]]
    columns = field_columns("system", "profile", "mean", "low", "high", "missing")
    return make_table(caption, columns, [*side["means"]["cells"], *seeds])


def _rankings(side: Side, counted: str) -> Table:
    columns = field_columns(("first", "profile"), ("second", "other")) + number_columns(("tau_b", "tau-b"))
    return make_table(f"tau-b between the rankings of systems; {counted}", columns, side["rankings"])


def _effects(variance: Mapping[str, Any]) -> Iterator[Row]:
    """The effects, and what they leave over, which is not tested."""
    yield from variance["effects"]
    yield {"name": "left over", **variance["residual"]}


def _test_cell(row: Row, name: str) -> str | int | float | None:
    return design.number_cell(row, name) if name in row else None


def _two_way(side: Side, counted: str) -> Table:
    rows = [{**row, "profile": each["profile"]} for each in side["variance"]["two_way"] for row in _effects(each)]
    caption = f"Two-way analysis of variance of each profile; {counted}"
    return make_table(caption, [*field_columns("profile"), *_EFFECT], rows)


def _by_method(side: Side, counted: str) -> Table:
    columns = [*field_columns("method", ("profile_pairs", "pairs of profiles")), *_CLASSES]
    caption = f"Shares of the pairs of systems, mean over pairs of profiles. {CLASSES}; {counted}"
    return make_table(caption, columns, side["pairs"]["by_method"])


def _classes(side: Side, counted: str) -> Table:
    columns = [*field_columns(("first", "profile"), ("second", "other"), "method"), *_CLASSES]
    return make_table(f"Shares of the pairs of systems. {CLASSES}; {counted}", columns, side["pairs"]["shares"])


def _against_seed(side: Side, counted: str) -> Table:
    numbers = number_columns("difference", "low", "high", "p")
    columns = [*field_columns("profile"), *numbers, *field_columns("significantly")]
    caption = f"Each profile less the seed's queries; p after Holm, paired t-tests over topics; {counted}"
    return make_table(caption, columns, side["against_seed"])

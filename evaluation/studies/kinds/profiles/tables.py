"""The tables of a profile study."""

from collections.abc import Iterator, Mapping
from typing import Any

from evaluation.statistics import system_pairs
from evaluation.studies.design.reporting import Row, column, count_words, field_column, number_cell, number_column
from evaluation.studies.kinds.profiles import figures, findings
from evaluation.tables.table import Column, Table, make_table

Side = Mapping[str, Any]

_INTERVAL = [field_column("mean"), field_column("low"), field_column("high")]
_EFFECT = [
    field_column("name", "effect"),
    field_column("sum_of_squares", "sum of squares"),
    field_column("df"),
    number_column("mean_square", "mean square"),
    column("F", lambda row: _test_cell(row, "f")),
    column("p", lambda row: _test_cell(row, "p")),
    column("partial omega squared", lambda row: _test_cell(row, "partial_omega_squared")),
]
_CLASSES = [number_column(name) for name in system_pairs.CLASSES]


def make_tables(result: Mapping[str, Any]) -> dict[str, Table]:
    """Of the last side; `profiles` shows both sides. Captions say of how many topics and systems; the facts of the
    report hold for all of them."""
    side = result["sides"][-1]
    counted = count_words(len(result["topics"]), len(result["systems"]))
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
    columns = [field_column("system"), field_column("profile"), *_INTERVAL, field_column("missing")]
    return make_table(caption, columns, [*side["means"]["cells"], *seeds])


def _rankings(side: Side, counted: str) -> Table:
    columns = [field_column("first", "profile"), field_column("second", "other"), number_column("tau_b", "tau-b")]
    return make_table(f"tau-b between the rankings of systems; {counted}", columns, side["rankings"])


def _effects(variance: Mapping[str, Any]) -> Iterator[Row]:
    """The effects, and what they leave over, which is not tested."""
    yield from variance["effects"]
    yield {"name": "left over", **variance["residual"]}


def _test_cell(row: Row, name: str) -> str | int | float | None:
    return number_cell(row, name) if name in row else None


def _two_way(side: Side, counted: str) -> Table:
    rows = [{**row, "profile": each["profile"]} for each in side["variance"]["two_way"] for row in _effects(each)]
    caption = f"Two-way analysis of variance of each profile; {counted}"
    return make_table(caption, [field_column("profile"), *_EFFECT], rows)


def _by_method(side: Side, counted: str) -> Table:
    columns = [field_column("method"), field_column("profile_pairs", "pairs of profiles"), *_CLASSES]
    caption = f"Shares of the pairs of systems, mean over pairs of profiles. {figures.CLASSES}; {counted}"
    return make_table(caption, columns, side["pairs"]["by_method"])


def _classes(side: Side, counted: str) -> Table:
    columns = [field_column("first", "profile"), field_column("second", "other"), field_column("method"), *_CLASSES]
    return make_table(f"Shares of the pairs of systems. {figures.CLASSES}; {counted}", columns, side["pairs"]["shares"])


def _against_seed(side: Side, counted: str) -> Table:
    columns = [
        field_column("profile"),
        number_column("difference"),
        number_column("low"),
        number_column("high"),
        number_column("p"),
        field_column("significantly"),
    ]
    caption = f"Each profile less the seed's queries; p after Holm, paired t-tests over topics; {counted}"
    return make_table(caption, columns, side["against_seed"])

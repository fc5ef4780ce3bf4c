"""The tables of a profile study."""

from collections.abc import Iterator, Mapping
from typing import Any

from evaluation.statistics import system_pairs
from evaluation.studies.design import reporting
from evaluation.studies.kinds.profiles import figures, findings
from evaluation.tables.table import Cell, Table

Side = Mapping[str, Any]


def make_tables(result: Mapping[str, Any]) -> dict[str, Table]:
    """Of the last side; `profiles` shows both sides. Captions say of how many topics and systems; the facts of the
    report hold for all of them."""
    side = result["sides"][-1]
    said = reporting.counted_words(len(result["topics"]), len(result["systems"]))
    found = {
        "profiles": _profiles(result, said),
        "systems-by-profile": _cells(side, f"{result['measure']} of each system by profile; {said}"),
        "rankings": _rankings(side, said),
        "three-way-anova": _anova(side["variance"]["three_way"], f"Three-way analysis of variance; {said}"),
        "two-way-anova": _two_way(side, said),
        "pair-classes-by-method": _by_method(side, said),
        "pair-classes": _classes(side, said),
        "against-seed": _against_seed(side, said),
    }
    return {name: table for name, table in found.items() if table.rows}


def _profiles(result: Mapping[str, Any], said: str) -> Table:
    methods = {each["profile"]: each["method"] for each in result["profiles"]}
    sides = [{each["profile"]: each for each in side["means"]["profiles"]} for side in result["sides"]]
    tested = {each["profile"]: each["significant"] for each in result["sides"][-1]["pairs"]["tested"]}
    heads = [
        f"{name} {side['side']}"
        for side in result["sides"]
        for name in ("mean", "low", "high", f"missing@{_cut(result)}")
    ]
    rows = [
        (profile, methods[profile], *(one[profile][name] for one in sides for name in _NUMBERS), tested[profile])
        for profile in sorted(methods)
    ]
    caption = f"{result['measure']} by profile, mean over systems; pairs that Tukey's HSD tells apart; {said}"
    return Table(caption, ("profile", "method", *heads, "significant pairs"), tuple(rows))


_NUMBERS = ("mean", "low", "high", "missing")


def _cut(result: Mapping[str, Any]) -> str:
    return str(result["cutoff"])


def _cells(side: Side, caption: str) -> Table:
    rows = [
        (cell["system"], cell["profile"], *(cell[name] for name in _NUMBERS)) for cell in side["means"]["cells"]
    ] + [
        (each["system"], findings.SEED, each["mean"], each["low"], each["high"], None) for each in side["means"]["seed"]
    ]
    return Table(caption, ("system", "profile", "mean", "low", "high", "missing"), tuple(rows))


def _rankings(side: Side, said: str) -> Table:
    rows = [(each["first"], each["second"], reporting.number_cell(each, "tau_b")) for each in side["rankings"]]
    return Table(f"tau-b between the rankings of systems; {said}", ("profile", "other", "tau-b"), tuple(rows))


def _anova(variance: Mapping[str, Any], caption: str) -> Table:
    return Table(caption, ("effect", *_EFFECT), tuple(_effects(variance)))


_EFFECT = ("sum of squares", "df", "mean square", "F", "p", "partial omega squared")


def _effects(variance: Mapping[str, Any]) -> Iterator[tuple[Cell, ...]]:
    for effect in variance["effects"]:
        numbers = (reporting.number_cell(effect, name) for name in ("mean_square", "f", "p", "partial_omega_squared"))
        yield (effect["name"], effect["sum_of_squares"], effect["df"], *numbers)
    residual = variance["residual"]
    yield (
        "left over",
        residual["sum_of_squares"],
        residual["df"],
        reporting.number_cell(residual, "mean_square"),
        None,
        None,
        None,
    )


def _two_way(side: Side, said: str) -> Table:
    rows = [(each["profile"], *row) for each in side["variance"]["two_way"] for row in _effects(each)]
    return Table(f"Two-way analysis of variance of each profile; {said}", ("profile", "effect", *_EFFECT), tuple(rows))


def _by_method(side: Side, said: str) -> Table:
    rows = [
        (each["method"], each["profile_pairs"], *(reporting.number_cell(each, name) for name in system_pairs.CLASSES))
        for each in side["pairs"]["by_method"]
    ]
    caption = f"Shares of the pairs of systems, mean over pairs of profiles. {figures.CLASSES}; {said}"
    return Table(caption, ("method", "pairs of profiles", *system_pairs.CLASSES), tuple(rows))


def _classes(side: Side, said: str) -> Table:
    rows = [
        (
            each["first"],
            each["second"],
            each["method"],
            *(reporting.number_cell(each, name) for name in system_pairs.CLASSES),
        )
        for each in side["pairs"]["shares"]
    ]
    caption = f"Shares of the pairs of systems. {figures.CLASSES}; {said}"
    return Table(caption, ("profile", "other", "method", *system_pairs.CLASSES), tuple(rows))


def _against_seed(side: Side, said: str) -> Table:
    rows = [
        (
            each["profile"],
            *(reporting.number_cell(each, name) for name in ("difference", "low", "high", "p")),
            each["significantly"],
        )
        for each in side["against_seed"]
    ]
    caption = f"Each profile less the seed's queries; p after Holm, paired t-tests over topics; {said}"
    return Table(caption, ("profile", "difference", "low", "high", "p", "significantly"), tuple(rows))

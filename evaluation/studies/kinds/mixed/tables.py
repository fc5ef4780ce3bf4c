"""The tables of a study of people's and a model's labels together."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.plots.figure import Figure
from evaluation.studies.design import Facts, Row, column, facts_sentence, field_column
from evaluation.tables.table import Column, Table, make_table

_SOURCES = {"mixed": "people and model", "people": "people alone", "model": "model alone"}


def make_figures(result: Mapping[str, Any], facts: Facts) -> dict[str, Figure]:
    rows: list[dict[str, object]] = []
    for each in by_value(result["systems"]):
        estimates = {"mixed": each, "people": each["people_only"]}
        rows += [
            {"system": each["run_tag"], "source": name, "mean": one["value"], "low": one["low"], "high": one["high"]}
            for name, one in estimates.items()
        ]
        if each["model_only"] is not None:
            model = each["model_only"]
            rows.append({"system": each["run_tag"], "source": "model", "mean": model, "low": None, "high": None})
    systems = Figure(
        chart="sources_beside",
        title="Systems by people and model together, people alone, model alone",
        description=f"{result['measure']} of {len(result['systems'])} systems with 95 % intervals. "
        f"{facts_sentence(facts)}.",
        rows=rows,
        words={"x": result["measure"], "subtitle": _subtitle(result), **_SOURCES},
    )
    return {"systems": systems}


def _subtitle(result: Mapping[str, Any]) -> str:
    unit = "" if result["unit"] == "pair" else f" of {result['topics_sampled']:,} whole topics"
    return (
        f"{result['sample']:,}{unit} of {result['frame']:,} open pairs judged by people, sampled by seed "
        f"{seed_words(result)}; {result['topics']:,} topics; 95 % intervals\n"
        f"gain {result['gain']}; unjudged: by the model, corrected; ties by score, then passage id"
    )


def seed_words(result: Mapping[str, Any]) -> str:
    return "unknown" if result["seed"] is None else str(result["seed"])


def by_value(systems: Sequence[Row]) -> list[Row]:
    return sorted(systems, key=lambda each: (-each["value"], each["run_tag"]))


def make_tables(result: Mapping[str, Any]) -> dict[str, Table]:
    return {"systems": _systems(result), "pairs": _pairs(result)}


def _inner_column(outer: str, name: str, label: str) -> Column[Row]:
    return column(label, lambda each: each[outer][name])


def _systems(result: Mapping[str, Any]) -> Table:
    is_topics = result["unit"] == "topic"
    population = [
        _inner_column("population", "low", "low, population"),
        _inner_column("population", "high", "high, population"),
    ]
    halving = field_column("more_to_halve", "more topics to halve" if is_topics else "more pairs to halve")
    columns = [
        field_column("run_tag", "system"),
        field_column("value", "estimate"),
        field_column("low"),
        field_column("high"),
        *(population if is_topics else []),
        _inner_column("people_only", "value", "people alone"),
        _inner_column("people_only", "low", "people low"),
        _inner_column("people_only", "high", "people high"),
        field_column("model_only", "model alone"),
        *([] if is_topics else [field_column("sampled_pairs", "sampled pairs")]),
        halving,
    ]
    caption = f"{result['measure']} with 95 % intervals, {result['sample']:,} pairs judged"
    return make_table(caption, columns, by_value(result["systems"]))


def _pairs(result: Mapping[str, Any]) -> Table:
    columns = [
        field_column("first"),
        field_column("second"),
        field_column("value", "difference"),
        field_column("low"),
        field_column("high"),
        field_column("differing", "topics that people changed" if result["unit"] == "topic" else "sampled pairs apart"),
        column("verdict", _verdict),
    ]
    return make_table("Differences between systems with 95 % intervals, each by itself", columns, result["pairs"])


def _verdict(each: Row) -> str:
    if each["low"] is None:
        return "no interval: too little sampled tells them apart"
    if each["low"] > 0:
        return "first ahead"
    return "second ahead" if each["high"] < 0 else "open"

"""The tables of a study of people's and a model's labels together."""

from collections.abc import Mapping
from typing import Any

from evaluation.studies.design.reporting import Row, column, field_column
from evaluation.studies.kinds.mixed.figures import by_value
from evaluation.tables.table import Column, Table, make_table


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

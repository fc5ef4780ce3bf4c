"""The tables of a study of people's and a model's labels together."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.plots.figure import Figure
from evaluation.studies.design import Facts, Row, column, facts_sentence, field_columns
from evaluation.tables.table import Table, make_table

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


def _systems(result: Mapping[str, Any]) -> Table:
    is_topics = result["unit"] == "topic"
    population = field_columns(("population.low", "low, population"), ("population.high", "high, population"))
    columns = [
        *field_columns(("run_tag", "system"), ("value", "estimate"), "low", "high"),
        *(population if is_topics else []),
        *field_columns(("people_only.value", "people alone"), ("people_only.low", "people low")),
        *field_columns(("people_only.high", "people high"), ("model_only", "model alone")),
        *([] if is_topics else field_columns(("sampled_pairs", "sampled pairs"))),
        *field_columns(("more_to_halve", "more topics to halve" if is_topics else "more pairs to halve")),
    ]
    caption = f"{result['measure']} with 95 % intervals, {result['sample']:,} pairs judged"
    return make_table(caption, columns, by_value(result["systems"]))


def _pairs(result: Mapping[str, Any]) -> Table:
    apart = "topics that people changed" if result["unit"] == "topic" else "sampled pairs apart"
    columns = field_columns("first", "second", ("value", "difference"), "low", "high", ("differing", apart))
    columns.append(column("verdict", _verdict))
    return make_table("Differences between systems with 95 % intervals, each by itself", columns, result["pairs"])


def _verdict(each: Row) -> str:
    if each["low"] is None:
        return "no interval: too little sampled tells them apart"
    if each["low"] > 0:
        return "first ahead"
    return "second ahead" if each["high"] < 0 else "open"

"""What the study shows: intervals of systems beside what people alone and the model alone say, and its refusals."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.plots.figure import Figure
from evaluation.studies.design import facts
from evaluation.studies.design.report import Report
from evaluation.studies.kinds.mixed.design import words
from evaluation.studies.kinds.mixed.design.plan import Plan
from evaluation.tables.table import Cell, Table

Found = Mapping[str, Any]
_SOURCES = {"mixed": "people and model", "people": "people alone", "model": "model alone"}


def report(plan: Plan, result: Found) -> Report:
    """Words, the figure and the tables of a result; JSON in, plain data out."""
    if result["refused"]:
        return Report(words.refusals(result), words.warnings(result), _facts(plan, result))
    return Report(
        findings=words.findings(result),
        warnings=words.warnings(result),
        facts=_facts(plan, result),
        figures={"systems": _figure(plan, result)},
        tables={"systems": _systems(result), "pairs": _pairs(result)},
    )


def _facts(plan: Plan, result: Found) -> tuple[tuple[str, str], ...]:
    unit = "pairs within each topic" if result["unit"] == "pair" else "whole topics"
    told = [
        ("measure", f"{result['measure']}, means over {result['topics']:,} topics"),
        ("gain", result["gain"]),
        ("sample", f"{unit}: {result['sample']:,} of {result['frame']:,} pairs, {result['answered']:,} of them graded"),
        ("seed", f"{_seed(result)}, of the sample"),
        ("model", result["model"] or "none was frozen when the sample was drawn"),
        ("method", result["method"]),
        ("intervals", f"95 %, {_intervals(result)}"),
        ("grades of people", "those given without a suggestion in view, by the collection's consensus"),
        ("unjudged", "pairs outside the sample count by the model's grade, corrected by the sampled ones"),
        ("ties", facts.TIES),
    ]
    if result["is_approximate"]:
        told.append(("folds", f"{plan.folds}, seed {plan.seed}"))
    return tuple(told)


def _intervals(result: Found) -> str:
    if result["unit"] == "pair":
        return "plus and minus 1.96 standard errors over samples of pairs of these topics"
    return f"Student's t over {result['topics_sampled']:,} sampled of these {result['topics']:,} topics"


def _figure(plan: Plan, result: Found) -> Figure:
    rows: list[dict[str, object]] = []
    for each in _by_value(result["systems"]):
        found = {"mixed": each, "people": each["people_only"]}
        rows += [
            {"system": each["run_tag"], "source": name, "mean": one["value"], "low": one["low"], "high": one["high"]}
            for name, one in found.items()
        ]
        if each["model_only"] is not None:
            model = each["model_only"]
            rows.append({"system": each["run_tag"], "source": "model", "mean": model, "low": None, "high": None})
    return Figure(
        chart="sources_beside",
        title="Systems by people and model together, people alone, model alone",
        description=f"{result['measure']} of {len(result['systems'])} systems with 95 % intervals. "
        f"{facts.sentence(_facts(plan, result))}.",
        rows=rows,
        words={"x": result["measure"], "subtitle": _subtitle(result), **_SOURCES},
    )


def _subtitle(result: Found) -> str:
    unit = "" if result["unit"] == "pair" else f" of {result['topics_sampled']:,} whole topics"
    return (
        f"{result['sample']:,}{unit} of {result['frame']:,} open pairs judged by people, sampled by seed "
        f"{_seed(result)}; {result['topics']:,} topics; 95 % intervals\n"
        f"gain {result['gain']}; unjudged: by the model, corrected; ties by score, then passage id"
    )


def _seed(result: Found) -> str:
    return "unknown" if result["seed"] is None else str(result["seed"])


def _by_value(systems: Sequence[Found]) -> list[Found]:
    return sorted(systems, key=lambda each: (-each["value"], each["run_tag"]))


def _systems(result: Found) -> Table:
    is_topics = result["unit"] == "topic"
    heads = ["system", "estimate", "low", "high"]
    heads += ["low, population", "high, population"] if is_topics else []
    heads += ["people alone", "people low", "people high", "model alone"]
    heads += ["more topics to halve"] if is_topics else ["sampled pairs", "more pairs to halve"]
    rows = tuple(tuple(_system(each, is_topics)) for each in _by_value(result["systems"]))
    return Table(f"{result['measure']} with 95 % intervals, {result['sample']:,} pairs judged", tuple(heads), rows)


def _system(each: Found, is_topics: bool) -> list[Cell]:
    people = each["people_only"]
    cells: list[Cell] = [each["run_tag"], each["value"], each["low"], each["high"]]
    cells += [each["population"]["low"], each["population"]["high"]] if is_topics else []
    cells += [people["value"], people["low"], people["high"], each["model_only"]]
    return [*cells, *([] if is_topics else [each["sampled_pairs"]]), each["more_to_halve"]]


def _pairs(result: Found) -> Table:
    differing = "topics that people changed" if result["unit"] == "topic" else "sampled pairs apart"
    heads = ("first", "second", "difference", "low", "high", differing, "verdict")
    rows = tuple(
        (
            each["first"],
            each["second"],
            each["value"],
            each["low"],
            each["high"],
            each["differing"],
            _verdict(each),
        )
        for each in result["pairs"]
    )
    return Table("Differences between systems with 95 % intervals, each by itself", heads, rows)


def _verdict(each: Found) -> str:
    if each["low"] is None:
        return "no interval: too little sampled tells them apart"
    if each["low"] > 0:
        return "first ahead"
    return "second ahead" if each["high"] < 0 else "open"

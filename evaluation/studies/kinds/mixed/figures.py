"""The figure of a study of people's and a model's labels together."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.plots.figure import Figure
from evaluation.studies.design.reporting import Facts, Row, facts_sentence

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

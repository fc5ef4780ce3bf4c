"""The record of a sample of pairs as a file has it: whatever somebody may have made of it has its sentence."""

from collections.abc import Mapping
from typing import Any

from evaluation.studies.design.plan_fields import PlanRefused
from evaluation.studies.kinds.mixed.design.inputs import PAIR, TOPIC

MOST_DEPTH = 1000
_SHAPES: dict[str, Any] = {
    "unit": str,
    "depth": int,
    "frame": dict,
    "left_out": dict,
    "runs": list,
    "reference": dict | None,
    "model": dict | None,
    "topics": list,
}


def check(design: Mapping[str, Any]) -> None:
    """Raises PlanRefused with what a design lacks, or has otherwise than a sampler writes it."""
    for name, shape in _SHAPES.items():
        _check(name, name in design and isinstance(design[name], shape))
    if design["unit"] == TOPIC:
        raise PlanRefused("whole topics are sampled from the pool of a collection: ask with --collection")
    _check("unit", design["unit"] == PAIR)
    _check("depth", type(design["depth"]) is int and 1 <= design["depth"] <= MOST_DEPTH)
    _check("seed", design.get("seed") is None or type(design["seed"]) is int)
    _check("left_out", all(type(number) is int and number >= 0 for number in design["left_out"].values()))
    for name in ("frame", "reference", "model"):
        _check(name, design[name] is None or isinstance(design[name].get("digest"), str))
    for stratum in design["topics"]:
        _check_topic(stratum)
    _check_numbers(design)


def check_sampled(sampled: Mapping[str, tuple[str, ...]], frame: Mapping[str, list[str]]) -> None:
    """Raises PlanRefused for a sampled pair that could not be drawn, where the frame is as it was."""
    for query_id, names in sampled.items():
        if others := sorted(set(names) - set(frame[query_id])):
            raise PlanRefused(f"the design has sampled {others[0]!r} of topic {query_id!r}, which could not be drawn")


def _check(name: str, is_right: bool) -> None:
    if not is_right:
        raise PlanRefused(f"the design has no {name!r} as a sampler writes it")


def _check_topic(stratum: Any) -> None:
    if not isinstance(stratum, dict) or not {"query_id", "passage_ids"} <= stratum.keys():
        raise PlanRefused("a topic of the design lacks its query_id or passage_ids")
    names = stratum["passage_ids"]
    is_right = isinstance(names, list) and all(isinstance(name, str) for name in names)
    if not isinstance(stratum["query_id"], str) or not is_right:
        raise PlanRefused("a topic of the design has no query_id, or no list of passage_ids, as a sampler writes them")
    if len(set(names)) < len(names):
        raise PlanRefused(f"topic {stratum['query_id']!r} of the design has a passage twice")


def _check_numbers(design: Mapping[str, Any]) -> None:
    """A sample without the pairs that somebody left out is none."""
    topics = [stratum["query_id"] for stratum in design["topics"]]
    if len(set(topics)) < len(topics):
        raise PlanRefused("a topic is twice in the design")
    sampled = sum(len(stratum["passage_ids"]) for stratum in design["topics"])
    if design.get("size", sampled) != sampled:
        raise PlanRefused(f"the design names {sampled:,} sampled pairs and says that it has {design['size']!r}")

"""A design that somebody wrote or changed by hand is read whole, or refused with a sentence."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from annotate.formats import runs
from annotate.formats.records import GradeScale
from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds.mixed import inputs as mixed_files
from evaluation.studies.kinds.mixed import parts as mixed_parts
from evaluation.studies.kinds.mixed.inputs import Files
from evaluation.studies.kinds.mixed.plan import Plan

SCALE = GradeScale.parse("0-3")
NAMES = [f"p{number}" for number in range(6)]
QRELS = {topic: {name: number % 4 for number, name in enumerate(NAMES)} for topic in ("q1", "q2")}
ODD = [None, -1, 0, 10**30, 1.5, float("nan"), "x", [], {}, [None], ["p0", "p0"], {"x": 1}, {"x": "y"}, True, [["p0"]]]


@pytest.fixture(scope="module")
def files() -> Files:
    def run(tag: str, names: list[str]) -> runs.Run:
        return runs.build_run(tag, {topic: {name: -rank for rank, name in enumerate(names)} for topic in QRELS})

    return Files([run("down", NAMES), run("up", NAMES[::-1])], ["a" * 64, "b" * 64], model=QRELS, model_name="gpt")


@pytest.fixture
def design(files: Files) -> dict[str, Any]:
    return mixed_files.draw_design(files, share=0.5, seed=3)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything in a value of JSON, of long lists to the first two."""
    keys = value if isinstance(value, dict) else range(min(len(value), 2)) if isinstance(value, list) else ()
    for key in keys:
        yield (*path, key)
        yield from places(value[key], (*path, key))


def changed(design: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    made = copy.deepcopy(design)
    place = made
    for key in path[:-1]:
        place = place[key]
    if value is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return made


def test_whatever_stands_at_any_place_is_read_or_refused(files, design):
    refused = 0
    for path in places(design):
        for value in (KeyError, *ODD):
            try:
                inputs = mixed_files.read_inputs(changed(design, path, value), files, QRELS, SCALE)
            except PlanRefused:
                refused += 1
                continue
            parts = {
                name: mixed_parts.run_part(Plan(), inputs, name) for name in mixed_parts.list_parts(Plan(), inputs)
            }
            json.dumps(mixed_parts.gather(Plan(), inputs, parts), allow_nan=False)
    assert refused > 200


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (("unit",), "topics", "no 'unit' as a sampler writes it"),
        (("depth",), 0, "no 'depth' as a sampler writes it"),
        (("depth",), 10**9, "no 'depth' as a sampler writes it"),
        (("seed",), float("nan"), "no 'seed' as a sampler writes it"),
        (("frame",), {}, "no 'frame' as a sampler writes it"),
        (("model", "digest"), KeyError, "no 'model' as a sampler writes it"),
        (("left_out",), {"withdrawn": -1}, "no 'left_out' as a sampler writes it"),
        (("topics", 0, "query_id"), 7, "no query_id, or no list of passage_ids"),
        (("topics", 0, "passage_ids"), "p0", "no query_id, or no list of passage_ids"),
        (("topics", 1, "query_id"), "q1", "a topic is twice"),
        (("topics", 0, "passage_ids", 0), "p9", "has sampled 'p9' of topic 'q1', which could not be drawn"),
        (("topics", 0, "passage_ids"), ["p0", "p0", "p1"], "topic 'q1' of the design has a passage twice"),
    ],
)
def test_each_fault_has_its_sentence(files, design, path, value, sentence):
    with pytest.raises(PlanRefused, match=sentence):
        mixed_files.read_inputs(changed(design, path, value), files, QRELS, SCALE)


def test_a_sampled_pair_that_was_taken_out_is_missed(files, design):
    """Who leaves out the pairs that nobody judged has no random sample any more."""
    with pytest.raises(PlanRefused, match="names 5 sampled pairs and says that it has 6"):
        mixed_files.read_inputs(changed(design, ("topics", 0, "passage_ids", 0), KeyError), files, QRELS, SCALE)

import pytest

from annotate.formats.records import GradeScale
from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds.holes.plan import FRACTIONS, Plan


def test_nothing_said_is_the_usual_plan():
    assert Plan.from_json({}) == Plan()
    assert Plan.from_json({}).fractions == FRACTIONS


def test_a_plan_comes_back_from_json():
    plan = Plan.from_json(
        {"holes": ["all", "depth:3"], "fillers": ["model:gpt, the 4th"], "fractions": [0.9, 0.1], "gain": "exp"}
    )
    assert plan.fractions == (0.1, 0.9)
    assert Plan.from_json(plan.to_json()) == plan


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"hole": ["all"]}, "the plan has no 'hole'"),
        ({"holes": []}, "say at least one way"),
        ({"holes": ["some"]}, "holes 'some' are not known; known are relevant, all"),
        ({"holes": ["depth:0"]}, "holes 'depth:0' are not known"),
        ({"holes": ["depth:9999999999"]}, "are not known"),
        ({"fillers": ["constant:x"]}, "filler 'constant:x' is not known"),
        ({"fillers": ["model:"]}, "filler 'model:' is not known"),
        ({"fillers": "none"}, "should be a list of texts"),
        ({"fractions": []}, "list of numbers between 0 and 1"),
        ({"fractions": [0.0]}, "between 0 and 1"),
        ({"fractions": [1.5]}, "between 0 and 1"),
        ({"fractions": [float("nan")]}, "between 0 and 1"),
        ({"fractions": ["x"]}, "between 0 and 1"),
        ({"fractions": [number / 200 for number in range(1, 101)]}, "at most 99"),
        ({"trials": 0}, "whole number from 1 to 1000"),
        ({"trials": True}, "whole number"),
        ({"seed": -1}, "whole number from 0"),
        ({"gain": "square"}, "one of linear, exp"),
        ({"depth": 0}, "whole number from 1"),
        ({"level": 0}, "between 0 and 1"),
    ],
)
def test_what_cannot_be_planned_is_refused_with_a_sentence(said, sentence):
    with pytest.raises(PlanRefused, match=sentence):
        Plan.from_json(said)


def test_trivial_fillers_are_always_drawn_and_none_twice():
    asked = Plan.from_json({"fillers": ["constant:2", "model:gpt"]}).all_fillers(GradeScale())
    assert [filler.text for filler in asked] == [
        "none",
        "constant:1",
        "constant:2",
        "constant:3",
        "random",
        "prior",
        "model:gpt",
    ]


def test_a_constant_off_the_scale_is_refused():
    with pytest.raises(PlanRefused, match="constant:4 is not on the scale 0-3"):
        Plan.from_json({"fillers": ["constant:4"]}).all_fillers(GradeScale())


@pytest.mark.parametrize(
    ("said", "depth"),
    [
        ({"fillers": []}, 10),
        ({"fillers": ["bpref"]}, 10),
        ({"fillers": [], "holes": ["depth:30"]}, 30),
        ({"fillers": [], "holes": ["leave-system-out"], "depth": 50}, 50),
        ({"fillers": [], "holes": ["all"], "depth": 50}, 10),
    ],
)
def test_runs_are_read_as_deep_as_the_plan_looks(said, depth):
    assert Plan.from_json(said).needed_depth == depth


@pytest.mark.parametrize(("text", "needs"), [("bpref", True), ("condensed", True), ("model:gpt", False)])
def test_measures_that_pass_over_holes_need_the_graded_passages_of_all_ranks(text, needs):
    assert Plan.from_json({"fillers": [text]}).needs_lists is needs

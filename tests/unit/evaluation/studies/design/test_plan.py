import math
from typing import Annotated, Literal

import pytest
from pydantic import Field

from evaluation.studies.design import MeasureName, PlanRefused, ResamplingPlan, Share, StudyPlan, Texts
from evaluation.studies.kinds.holes.plan import Plan as HolesPlan
from evaluation.studies.kinds.mixed.plan import Plan as MixedPlan
from evaluation.studies.kinds.profiles.plan import Plan as ProfilesPlan
from evaluation.studies.kinds.sources.plan import Plan as SourcesPlan


class Plan(StudyPlan):
    rule: str = "usual"
    systems: Texts = ()
    all: bool = True
    n: Annotated[int, Field(ge=1, le=9)] = 3
    few: Annotated[int, Field(ge=1, le=9)] | None = None
    level: Share = 0.05
    how: Literal["a", "b"] = "a"
    measure: MeasureName = "P@5"


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"colour": 1}, "^the plan has no 'colour'; it has all, few, how, level, measure, n, rule, systems$"),
        ({"n": 0, "colour": 1}, "the plan has no 'colour'"),
        ({"rule": 3}, "^rule is 3, and should be text$"),
        ({"systems": "bm25"}, "^systems is 'bm25', and should be a list of texts$"),
        ({"systems": [1]}, r"^systems is \[1\], and should be a list of texts$"),
        ({"systems": None}, "^systems is None, and should be a list of texts$"),
        ({"all": 1}, "^all is 1, and should be true or false$"),
        ({"n": True}, "^n is True, and should be a whole number from 1 to 9$"),
        ({"n": 10}, "^n is 10, and should be a whole number from 1 to 9$"),
        ({"n": 3.0}, "^n is 3.0, and should be a whole number from 1 to 9$"),
        ({"few": "2"}, "^few is '2', and should be a whole number from 1 to 9$"),
        ({"level": 1}, "^level is 1, and should be a number between 0 and 1$"),
        ({"level": True}, "^level is True, and should be a number between 0 and 1$"),
        ({"level": math.nan}, "^level is nan, and should be a number between 0 and 1$"),
        ({"how": "x"}, "^how is 'x', and should be one of a, b$"),
        ({"measure": "P"}, "^P needs a cut-off"),
    ],
)
def test_each_fault_has_its_sentence(said, sentence):
    with pytest.raises(PlanRefused, match=sentence):
        Plan.from_json(said)


def test_a_refusal_names_the_field_for_who_marks_it_on_a_page():
    with pytest.raises(PlanRefused) as refused:
        Plan.from_json({"n": 0})
    assert refused.value.field == "n"


def test_what_is_not_said_is_as_usual():
    assert Plan.from_json({}) == Plan()
    assert Plan.from_json({"few": None}).few is None


def test_a_list_has_each_text_once_and_a_measure_its_own_spelling():
    assert Plan.from_json({"systems": ["b", "a", "b"]}).systems == ("b", "a")
    assert Plan.from_json({"measure": "nDCG( gain = exp )@10"}).measure == "nDCG(gain=exp)@10"


def test_a_rule_of_consensus_is_one_that_there_is():
    with pytest.raises(PlanRefused, match="^consensus is 'LOUDEST', and should be one of MAJORITY, MEDIAN"):
        ResamplingPlan.from_json({"consensus": "LOUDEST"})


# As version 0.1.0 stored them; what it did not say is as it was usual then.
STORED = {
    HolesPlan: {
        "reference": "reference",
        "systems": [],
        "holes": ["relevant", "depth:5"],
        "fillers": ["model:gpt", "condensed"],
        "fractions": [0.1, 0.5],
        "trials": 20,
        "seed": 1,
        "gain": "exp",
        "depth": 10,
        "level": 0.05,
    },
    MixedPlan: {
        "draw": 7,
        "method": "cross-fitted",
        "gain": "0/1/3/7",
        "unanswered": "bounds",
        "rounds": None,
        "folds": 5,
        "seed": 1,
    },
    ProfilesPlan: {
        "measure": "nDCG@10",
        "before": "reference,adjudicated,people",
        "after": "",
        "is_by_chances": True,
        "consensus": "MAJORITY",
        "systems": ["bm25"],
        "variants_as": "replicates",
        "level": 0.05,
        "coverage": 0.95,
        "resamples": 1000,
        "seed": 0,
    },
    SourcesPlan: {
        "measure": "nDCG@10",
        "people": "reference,people",
        "model": "gpt",
        "calibrated": "",
        "model_family": "GPT",
        "calibrated_family": "",
        "consensus": "MEDIAN",
        "with_assessors": False,
        "level": 0.05,
        "coverage": 0.95,
        "resamples": 1000,
        "seed": 0,
    },
}


@pytest.mark.parametrize("plan", STORED)
def test_a_plan_that_an_old_installation_stored_is_read_and_stored_as_it_was(plan):
    assert plan.from_json(STORED[plan]).to_json() == STORED[plan]


LONG = "x" * 20_000


@pytest.mark.parametrize("plan", STORED)
@pytest.mark.parametrize("sent", [LONG, [LONG], {LONG: 1}, f"nDCG(gain={LONG})@10", f"nDCG({LONG}=1)@10", f"P@{LONG}"])
def test_no_refusal_repeats_what_was_sent_at_length(plan, sent):
    refused = 0
    for name in (*plan.model_fields, LONG):
        try:
            plan.from_json({name: sent})
        except PlanRefused as sentence:
            assert len(str(sentence)) < 400
            refused += 1
    assert refused

import json

import pytest

from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds.profiles.plan import Plan


def test_a_plan_is_the_same_after_json():
    plan = Plan(measure="nDCG(gain=exp)@20", after="reference,model:gpt", systems=("b", "a"), seed=2**63 - 1)
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan


def test_nothing_said_is_the_usual_plan():
    assert Plan.from_json({}) == Plan()


def test_a_field_that_there_is_not_is_refused_by_name():
    with pytest.raises(PlanRefused, match="the plan has no 'trials'"):
        Plan.from_json({"trials": 3})

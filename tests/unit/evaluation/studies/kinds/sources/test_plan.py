import json

import pytest

from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds.sources.plan import Labels, Plan


def test_a_plan_is_the_same_after_json():
    plan = Plan(measure="P@5", model="gpt", calibrated="cal", model_family="GPT", with_assessors=False, level=0.01)
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan


def test_the_labels_are_peoples_with_a_models_alone_and_completed_by_the_calibrated_judge():
    plan = Plan(people="reference,people", model="gpt", calibrated="cal", model_family="GPT", calibrated_family="GPT")
    assert plan.labels == (
        Labels("people", "reference,people"),
        Labels("people and model", "reference,people,model:gpt", family="GPT"),
        Labels("model", "model:gpt", family="GPT"),
        Labels("calibrated", "reference,people,model:cal", is_by_chances=True, family="GPT"),
    )


@pytest.mark.parametrize("only", ["model", "calibrated"])
def test_one_model_is_enough(only):
    assert len(Plan.from_json({only: "gpt"}).labels) == {"model": 3, "calibrated": 2}[only]


def test_without_a_model_there_is_nothing_to_compare():
    with pytest.raises(PlanRefused, match="no model is named"):
        Plan.from_json({})

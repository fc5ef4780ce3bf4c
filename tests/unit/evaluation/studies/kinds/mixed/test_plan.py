"""The plan of a study of labels together: what it may say."""

import pytest

from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds.mixed.plan import Plan


def test_nothing_said_is_the_usual_plan_and_json_reads_back():
    assert Plan.from_json({}) == Plan()
    said = Plan(draw=3, gain="0/1/3/7", unanswered="bounds", method="cross-fitted", rounds=4, folds=3, seed=9)
    assert Plan.from_json(said.to_json()) == said
    assert Plan.from_json({"gain": "0=0,1=1,2=3,3=7"}).gain == "0/1/3/7"


@pytest.mark.parametrize(
    "said, sentence",
    [
        ({"draw": "3"}, "draw is '3'"),
        ({"draw": 0}, "draw is 0"),
        ({"draw": True}, "draw is True"),
        ({"gain": "cube"}, "gain 'cube' is not linear"),
        ({"method": "guess"}, "should be one of frozen, cross-fitted"),
        ({"unanswered": "zero"}, "should be one of refuse, bounds"),
        ({"rounds": 1}, "rounds is 1"),
        ({"folds": 1}, "folds is 1"),
        ({"level": 0.9}, "has no 'level'"),
    ],
)
def test_what_it_may_not_say(said, sentence):
    with pytest.raises(PlanRefused, match=sentence):
        Plan.from_json(said)

from evaluation.studies.kinds.sources import inputs
from tests.unit.evaluation.studies.kinds.sources.small import CHANCES, MODEL, PEOPLE


def test_a_models_grades_fill_the_holes_of_peoples_topics_and_replace_nothing():
    found = inputs.combine_grades(PEOPLE, MODEL | {"q3": {"a": 1}})
    assert found.qrels == {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 1, "b": 1}}
    assert found.origins == {"q1": {"a": "people", "b": "people", "c": "model"}, "q2": {"a": "people", "b": "model"}}
    assert found.topics == {"q1", "q2"}


def test_pooled_but_unjudged_is_a_hole_that_chances_fill():
    found = inputs.combine_probabilities(PEOPLE, CHANCES)
    assert found.qrels == {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}
    assert found.probabilities == {"q1": {"c": (0.5, 0.5)}, "q2": {"c": (0.0, 1.0)}}
    assert found.origins["q2"] == {"a": "people", "c": "model"}


def test_alone_every_grade_that_closes_its_hole_has_one_origin():
    found = inputs.grades_of_one(PEOPLE, "people")
    assert found.origins == {"q1": {"a": "people", "b": "people"}, "q2": {"a": "people"}}

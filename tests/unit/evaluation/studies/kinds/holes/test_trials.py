import numpy as np
import pytest

from evaluation.measures.grade_matrix import UNJUDGED
from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds.holes import inputs, plan, trials
from evaluation.studies.kinds.holes.plan import Plan
from tests.unit.evaluation.studies.kinds.holes import small

ALL = plan.parse_pattern("all")
NAMES = ["1", "2", "3"]


def filled(text, fraction=0.5, **changes):
    """The grades in the holes of three trials, and the holes."""
    on = inputs.prepare_inputs(Plan(fillers=(), trials=3), small.inputs(**changes))
    taken = trials.draw_holes(on, ALL, fraction, NAMES)
    vectors = trials.fill_holes(on, plan.parse_filler(text), ALL, NAMES, taken, trials.remaining_grades(on, taken))
    assert (vectors[:, :-2][~taken] == np.tile(on.full[:-2], (3, 1))[~taken]).all()
    return vectors[:, :-2], taken, on


@pytest.mark.parametrize("text", ["none", "condensed", "bpref"])
def test_what_fills_nothing_leaves_holes(text):
    vectors, taken, _ = filled(text)
    assert (vectors[taken] == UNJUDGED).all()


def test_a_constant_is_in_every_hole():
    vectors, taken, _ = filled("constant:2")
    assert (vectors[taken] == 2).all()


def test_random_grades_are_all_of_the_scale_and_as_frequent():
    vectors, taken, _ = filled("random", 0.9)
    counts = np.bincount(vectors[taken], minlength=4) / taken.sum()
    assert counts == pytest.approx([0.25] * 4, abs=0.08)


def test_grades_by_the_prior_are_as_frequent_as_those_that_remain():
    vectors, taken, on = filled("prior", 0.9)
    counts = np.bincount(vectors[taken], minlength=4) / taken.sum()
    assert counts == pytest.approx([0.4, 0.25, 0.2, 0.15], abs=0.08)


def test_a_pair_has_the_same_luck_under_every_share():
    few, taken, _ = filled("random", 0.3)
    many, _, _ = filled("random", 0.7)
    assert (few[taken] == many[taken]).all()


def test_where_no_grade_remains_there_is_no_prior():
    vectors, taken, _ = filled("prior", 0.99, qrels={"q0": {"d0": 1}})
    assert not taken.any()
    on = inputs.prepare_inputs(Plan(fillers=()), small.inputs(qrels={"q0": {"d0": 1}}))
    everything = np.ones((1, 1), np.bool_)
    empty = trials.remaining_grades(on, everything)
    assert trials.fill_holes(on, plan.parse_filler("prior"), ALL, ["1"], everything, empty)[0, 0] == UNJUDGED


def test_a_model_fills_the_holes_that_it_grades_on_the_scale():
    said = {"q0": {"d0": 1, "d1": 7, "d2": -1, "nowhere": 3}}
    vectors, taken, on = filled("model:gpt", 0.9, models={"model:gpt": said})
    for number, pair in enumerate(on.pairs):
        for row in np.flatnonzero(taken[:, number]):
            assert vectors[row, number] == (1 if pair == ("q0", "d0") else UNJUDGED)


def test_a_model_without_grades_is_refused():
    with pytest.raises(PlanRefused, match="the grades that model:gpt needs are not there"):
        filled("model:gpt")

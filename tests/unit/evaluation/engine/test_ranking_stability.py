"""How stable a ranking is against draws of what is open, on examples that can be worked out."""

import numpy as np
import pytest

from annotate.formats import runs
from evaluation.engine import ranking_shift, run_index

ONE, TWO = (runs.build_run(tag, {"q": {name: 1.0}}) for tag, name in (("one", "a"), ("two", "b")))
RANKINGS = run_index.build([ONE, TWO], 10)


def of(known, probabilities, draws=2000, seed=1):
    return ranking_shift.draw_stability(RANKINGS, known, probabilities, topics=["q"], draws=draws, seed=seed)


def test_the_share_of_draws_is_the_probability_that_the_order_stays():
    # `one` stays ahead unless b gets at least grade 2, which puts `two` level or ahead.
    found = of({"q": {"a": 2}}, {("q", "b"): [0.5, 0.2, 0.2, 0.1]})
    assert found.run_tags == ("one", "two")
    assert found.kept[0] == pytest.approx(0.7, abs=0.04)
    assert found.means_drawn[1] > 0


def test_with_nothing_open_the_order_is_sure():
    found = of({"q": {"a": 2, "b": 1}}, {}, draws=10)
    assert found.kept == (1.0,)
    assert found.taus.tolist() == [1.0] * 10


def test_a_certain_grade_is_drawn_always():
    assert of({"q": {"a": 2}}, {("q", "b"): [0, 0, 0, 1]}, draws=50).kept == (0.0,)
    assert of({"q": {"a": 2}}, {("q", "b"): [1, 0, 0, 0]}, draws=50).kept == (1.0,)


def test_systems_that_are_level_have_no_order_to_keep():
    found = of({"q": {"c": 2}}, {("q", "b"): [0.5, 0.5, 0, 0]})
    assert found.kept == (None,)
    assert np.isnan(found.taus).all()


def test_the_seed_fixes_the_draws_whatever_the_order_of_the_mapping():
    probabilities = {("q", "b"): [0.25] * 4, ("q", "a"): [0.1, 0.2, 0.3, 0.4]}
    turned = dict(reversed(probabilities.items()))
    known = {"q": {"c": 3}}
    first, again, other = (of(known, *said) for said in ((probabilities,), (turned,), (probabilities, 2000, 2)))
    assert (first.means_drawn, first.kept) == (again.means_drawn, again.kept)
    assert first.means_drawn != other.means_drawn


def test_open_pairs_of_other_topics_do_not_count():
    known = {"q": {"a": 2}}
    assert of(known, {("z", "b"): [0, 0, 0, 1]}, draws=5).kept == of(known, {}, draws=5).kept


def test_how_many_are_drawn_at_once_changes_nothing(monkeypatch):
    known, probabilities = {"q": {"a": 2}}, {("q", "b"): [0.25] * 4, ("q", "c"): [0.1, 0.2, 0.3, 0.4]}
    whole = of(known, probabilities, draws=50)
    monkeypatch.setattr(ranking_shift, "_CELLS_AT_ONCE", 15)
    few = of(known, probabilities, draws=50)
    assert (whole.kept, whole.means_drawn) == (few.kept, few.means_drawn)
    assert np.array_equal(whole.taus, few.taus, equal_nan=True)

from itertools import product

import numpy as np
import pytest

from evaluation.statistics import bootstrap
from evaluation.statistics.bootstrap import Resampling


def test_counts_of_kinds_have_the_law_of_drawing_things_one_by_one():
    """Of two things a and one b, three drawn: the number of b is 0, 1, 2, 3 in 8, 12, 6, 1 of 27 cases."""
    cases = [sum(thing == "b" for thing in drawn) for drawn in product("aab", repeat=3)]
    assert [cases.count(number) for number in range(4)] == [8, 12, 6, 1]
    found = bootstrap.draws(np.array([2, 1]), Resampling(resamples=27_000))[:, 1]
    assert np.bincount(found) / 1000 == pytest.approx([8, 12, 6, 1], abs=0.5)


def test_a_kind_without_copies_is_never_drawn():
    found = bootstrap.draws(np.array([0, 3, 0, 7, 0]), Resampling(resamples=200))
    assert not found[:, [0, 2, 4]].any()
    assert set(found.sum(axis=1)) == {10}


def test_nothing_to_draw_from_gives_nothing():
    assert bootstrap.draws(np.zeros(0, dtype=np.int64), Resampling(resamples=2)).shape == (2, 0)


def test_the_seed_alone_decides_what_is_drawn():
    rows = np.arange(20.0).reshape(10, 2)
    once, again = (bootstrap.totals(rows, Resampling(resamples=5, seed=4)) for _ in range(2))
    other = bootstrap.totals(rows, Resampling(resamples=5, seed=5))
    assert (once == again).all()
    assert (once != other).any()


def test_totals_keep_the_axes_of_a_row():
    rows = np.ones((4, 2, 3))
    found = bootstrap.totals(rows, Resampling(resamples=7))
    assert found.shape == (7, 2, 3)
    assert (found == 4.0).all()


def test_resamples_without_a_value_are_left_out_and_counted():
    found = bootstrap.percentiles(np.array([np.nan, 1.0, 2.0, np.nan]), 5, Resampling(level=0.5))
    assert (found.low, found.high, found.left_out) == (1.25, 1.75, 2)


@pytest.mark.parametrize("n", [0, 1])
def test_one_topic_has_no_interval(n):
    found = bootstrap.percentiles(np.array([1.0, 1.0]), n, bootstrap.USUAL)
    assert not found.is_defined
    assert found.reason == "an interval over topics needs two of them or more"


def test_a_figure_that_is_never_defined_has_no_interval():
    found = bootstrap.percentiles(np.full(3, np.nan), 5, bootstrap.USUAL)
    assert (found.low, found.high, found.reason) == (None, None, bootstrap.NEVER_DEFINED)


def test_an_interval_tells_how_it_came_about():
    how = Resampling("pairs", resamples=2, level=0.9, seed=3)
    told = {"low": 1.0, "high": 1.0, "level": 0.9, "over": "pairs", "n": 8, "resamples": 2, "left_out": 0, "seed": 3}
    assert bootstrap.percentiles(np.ones(2), 8, how).as_json() == told
    nothing = bootstrap.percentiles(np.ones(2), 1, how).as_json()
    assert nothing == told | {
        "low": None,
        "high": None,
        "n": 1,
        "reason": "an interval over pairs needs two of them or more",
    }


@pytest.mark.parametrize("wrong", [{"resamples": 0}, {"level": 0.0}, {"level": 1.0}])
def test_a_resampling_that_cannot_be_done_is_refused(wrong):
    with pytest.raises(ValueError, match="a resample or more"):
        Resampling(**wrong)


@pytest.mark.parametrize(("columns", "n"), [(0, 5), (1, 5), (7, 5), (7, 1)])
def test_the_intervals_of_many_columns_are_those_of_each(columns, n):
    values = np.random.default_rng(2).random((1000, columns))
    expected = [bootstrap.percentiles(column, n, bootstrap.USUAL) for column in values.T]
    assert bootstrap.percentiles_of_columns(values, n, bootstrap.USUAL) == expected

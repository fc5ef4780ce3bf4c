import numpy as np
import pandas as pd
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from evaluation.statistics import anova

FACTORS = ("topic", "system", "profile")


def of_statsmodels(data, factors, formula):
    """The table of an ordinary least squares fit, one row of the frame for each cell or replicate."""
    places = np.indices(data.shape)
    columns = {factor: places[axis].ravel() for axis, factor in enumerate(factors)}
    return anova_lm(ols(formula, pd.DataFrame({**columns, "score": data.ravel()})).fit())


def assert_equal(found, table):
    for effect in found.effects:
        row = table.loc[":".join(f"C({name})" for name in effect.name.split(":"))]
        assert effect.df == row["df"]
        values = (effect.sum_of_squares, effect.mean_square.number, effect.f.number, effect.p.number)
        assert values == pytest.approx((row["sum_sq"], row["mean_sq"], row["F"], row["PR(>F)"]), rel=1e-8)
    assert (found.residual_df, found.residual_sum_of_squares) == pytest.approx(
        (table.loc["Residual", "df"], table.loc["Residual", "sum_sq"])
    )


def test_two_ways_are_those_of_statsmodels():
    scores = np.random.default_rng(1).random((5, 8))
    table = of_statsmodels(scores, ("system", "topic"), "score ~ C(system) + C(topic)")
    assert_equal(anova.two_way(scores), table)


@pytest.mark.parametrize("shape", [(6, 4, 3), (6, 4, 3, 2)], ids=["one score each", "replicates"])
def test_three_ways_with_interactions_are_those_of_statsmodels(shape):
    data = (
        np.random.default_rng(2).random(shape)
        + np.arange(4)[:, np.newaxis].repeat(3, 1).reshape(4, 3, *[1] * (len(shape) - 3)) / 10
    )
    table = of_statsmodels(data, FACTORS, "score ~ (C(topic) + C(system) + C(profile)) ** 2")
    assert_equal(anova.analyse(data, FACTORS, 2), table)


def test_partial_omega_squared_is_worked_by_hand():
    """Two systems on three topics. Systems: SS .015, df 1; what is left over: SS .01, df 2, MS .005; n 6.

    (.015 - 1 * .005) / (.015 + (6 - 1) * .005) = .01 / .04
    """
    system = anova.two_way([[0.2, 0.4, 0.7], [0.3, 0.6, 0.7]]).effect("system")
    assert system.sum_of_squares == pytest.approx(0.015)
    assert system.partial_omega_squared.value == pytest.approx(0.25)


def test_an_effect_below_chance_has_an_omega_squared_below_0():
    scores = [[0.1, 0.9, 0.2], [0.9, 0.1, 0.21]]
    assert anova.two_way(scores).effect("system").partial_omega_squared.number < 0


def test_the_squares_add_up_to_the_whole():
    data = np.random.default_rng(4).random((5, 3, 2))
    found = anova.analyse(data, FACTORS, 2)
    whole = found.residual_sum_of_squares + sum(effect.sum_of_squares for effect in found.effects)
    assert whole == pytest.approx(((data - data.mean()) ** 2).sum())
    assert found.residual_df + sum(effect.df for effect in found.effects) == found.n - 1 == 29


@pytest.mark.parametrize(
    ("scores", "effect", "reason"),
    [
        ([[0.1, 0.5, 0.3]], "system", "there is only one system"),
        ([[0.1, 0.5, 0.3]], "topic", "nothing is left over to compare with"),
        ([[0.1], [0.4]], "topic", "there is only one topic"),
        ([[0.5, 0.5], [0.5, 0.5]], "system", "nothing is left over to compare with: the effects explain every score"),
        ([[0.1, 0.3], [0.2, 0.4]], "system", "nothing is left over to compare with: the effects explain every score"),
    ],
)
def test_what_cannot_be_tested_says_why(scores, effect, reason):
    found = anova.two_way(scores).effect(effect)
    assert {found.f.reason, found.p.reason, found.partial_omega_squared.reason} == {reason}


def test_an_interaction_with_one_level_says_of_what():
    data = np.random.default_rng(1).random((3, 1, 4))
    assert anova.analyse(data, FACTORS, 2).effect("topic:system").f.reason == "there is only one topic or one system"


@pytest.mark.parametrize("scores", [[0.1, 0.2], [[]], [[0.1, float("nan")]], np.zeros((2, 2, 2, 2))])
def test_scores_that_do_not_fill_the_cells_are_refused(scores):
    with pytest.raises(ValueError, match="no finite number for each system, topic"):
        anova.two_way(scores)


def test_an_effect_that_was_not_asked_for_is_not_there():
    with pytest.raises(KeyError):
        anova.two_way([[0.1, 0.2], [0.3, 0.9]]).effect("profile")

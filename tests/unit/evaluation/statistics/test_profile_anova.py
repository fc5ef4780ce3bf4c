from itertools import product

import numpy as np
import pytest

from evaluation.statistics import anova
from evaluation.statistics.anova import Unbalanced

LEVELS = (["10", "9"], ["bm25", "dense", "sparse"], ["child", "expert"])


def made_up(variants=3):
    random = np.random.default_rng(8)
    return {cell: random.random(variants).tolist() for cell in product(*LEVELS)}


def test_variants_are_averaged_first_so_that_what_is_left_over_is_the_interaction_of_all_three():
    scores = made_up()
    means = np.array([np.mean(scores[cell]) for cell in product(*LEVELS)]).reshape(2, 3, 2)
    assert anova.three_way(scores) == anova.analyse(means, ("topic", "system", "profile"), 2)
    assert anova.three_way(scores).residual_df == 1 * 2 * 1


def test_as_replicates_the_spread_of_the_variants_is_left_over_too():
    scores = made_up()
    data = np.array([scores[cell] for cell in product(*LEVELS)]).reshape(2, 3, 2, 3)
    found = anova.three_way(scores, "replicates")
    assert found == anova.analyse(data, ("topic", "system", "profile"), 2)
    assert found.residual_df == 2 + 2 * 3 * 2 * (3 - 1)


def test_the_order_in_which_the_cells_are_given_does_not_matter():
    scores = made_up()
    assert anova.three_way(dict(reversed(scores.items()))) == anova.three_way(scores)


@pytest.mark.parametrize("variants", ["averaged", "replicates"])
def test_a_missing_cell_is_refused_by_name(variants):
    scores = made_up()
    scores["9", "dense", "child"] = []
    with pytest.raises(Unbalanced, match="topic 9, system dense, profile child has no score"):
        anova.three_way(scores, variants)
    del scores["9", "dense", "child"]
    with pytest.raises(Unbalanced, match="topic 9, system dense, profile child has no score"):
        anova.three_way(scores, variants)


def test_unequally_many_variants_can_be_averaged_and_are_no_replicates():
    scores = made_up()
    scores["9", "dense", "child"] = [0.5, 0.6]
    assert anova.three_way(scores).n == 12
    with pytest.raises(Unbalanced, match="profile child has 2 variants and .* has 3: average the variants"):
        anova.three_way(scores, "replicates")


def test_nothing_at_all_is_refused():
    with pytest.raises(Unbalanced, match="there are no scores"):
        anova.three_way({})


def test_one_profile_leaves_its_effects_undefined():
    scores = {cell: values for cell, values in made_up().items() if cell[2] == "child"}
    found = anova.three_way(scores, "replicates")
    assert found.effect("profile").f.reason == "there is only one profile"
    assert found.effect("system").f.is_defined

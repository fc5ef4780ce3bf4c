import numpy as np
import pytest

from annotate.judges import mixed_model

VARIANCE = 1.5


def block(size: int, seed: int, covariance: np.ndarray | None = None) -> mixed_model.Block:
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(size), rng.normal(size=size)])
    responses = 1 + 2 * design[:, 1:] + rng.normal(0, 0.1, (size, 1))
    return mixed_model.Block(design, responses, np.linalg.inv(np.eye(size) if covariance is None else covariance))


def test_effects_are_found_again():
    effects, without = mixed_model.fit_effects([block(200, 1), block(200, 2)], VARIANCE)
    assert effects.mean(np.array([[1.0, 0.0], [1.0, 1.0]])).ravel() == pytest.approx([1, 3], abs=0.06)
    assert len(without) == 2


def test_effects_without_a_topic_are_those_of_all_others():
    first, second = (
        one._replace(responses=one.responses - one.responses.mean()) for one in (block(50, 1), block(9, 2))
    )
    without = mixed_model.fit_effects([first, second], VARIANCE)[1]
    alone = mixed_model.fit_effects([second], VARIANCE)[0]
    assert without[0].coefficients == pytest.approx(alone.coefficients)


def test_leaving_out_equals_never_having_been_judged():
    rng = np.random.default_rng(3)
    roots = rng.normal(size=(6, 6))
    shared = roots @ roots.T / 6
    full = block(6, 4, shared + 0.3 * np.eye(6))
    effects, _ = mixed_model.fit_effects([full], VARIANCE)
    out = np.array([True, False, False, True, False, False])
    found = mixed_model.forecast_pairs(full, effects, full.design[:1], shared[:1], out[None, :], np.array([VARIANCE]))
    kept = ~out
    inverse = np.linalg.inv((shared + 0.3 * np.eye(6))[np.ix_(kept, kept)])
    residuals = full.responses[kept] - effects.mean(full.design[kept])
    weights = inverse @ shared[0, kept]
    assert found.mean[0] == pytest.approx(effects.mean(full.design[:1])[0] + weights @ residuals)
    assert found.variance[0] == pytest.approx(VARIANCE - weights @ shared[0, kept])


def test_with_everything_left_out_only_the_effects_remain():
    one = block(3, 5)
    effects, _ = mixed_model.fit_effects([one], VARIANCE)
    found = mixed_model.forecast_pairs(
        one, effects, one.design, np.ones((3, 3)), np.ones((3, 3), bool), np.full(3, VARIANCE)
    )
    assert found.mean == pytest.approx(effects.mean(one.design))
    assert found.variance == pytest.approx([VARIANCE] * 3)

import numpy as np
import pytest
from scipy.optimize import check_grad

from annotate.judges import mixed_model


def topics(count: int, size: int, topic_variance: float, noise: float) -> list[mixed_model.Residuals]:
    rng = np.random.default_rng(1)
    shared = np.ones((1, size, size))
    return [
        (shared, rng.normal(0, np.sqrt(topic_variance)) + rng.normal(0, np.sqrt(noise), size)) for _ in range(count)
    ]


def test_variances_that_made_the_residuals_are_found_again():
    found = mixed_model.fit_variances(topics(300, 20, topic_variance=0.5, noise=0.2), seed=0)
    assert found.kernels[0] == pytest.approx(0.5, rel=0.15)
    assert found.noise == pytest.approx(0.2, rel=0.1)
    assert found.total == pytest.approx(found.kernels[0] + found.noise)


def test_the_gradient_is_that_of_the_cost():
    some = topics(5, 8, topic_variance=0.5, noise=0.2)
    for logs in ([0.0, 0.0], [-2.0, 1.0]):
        error = check_grad(
            lambda at: mixed_model._cost(at, some)[0], lambda at: mixed_model._cost(at, some)[1], np.array(logs)
        )
        assert error < 1e-4


def test_residuals_that_are_all_zero_give_small_variances_and_no_failure():
    found = mixed_model.fit_variances([(np.ones((1, 3, 3)), np.zeros(3))], seed=0)
    assert np.isfinite(found.kernels).all() and found.noise > 0

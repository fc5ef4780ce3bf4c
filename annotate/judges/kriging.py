"""A linear mixed model with topics as blocks: features say what is common, judged neighbours what is left.

    response = centre + design @ coefficients + f + noise,   f ~ Gaussian process over the topic's pairs

Several responses share one covariance. Rasmussen and Williams 2006, Gaussian Processes for Machine Learning,
sections 2.7 (fixed effects) and 5.4.2 (leaving out).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_RIDGE = 3.0  # precision of the coefficients, in units of one grade's total variance


class Block(NamedTuple):
    """The n judged pairs of one topic."""

    design: NDArray[np.float64]  # (n, p)
    responses: NDArray[np.float64]  # (n, b)
    inverse: NDArray[np.float64]  # (n, n) of their covariance


class Effects(NamedTuple):
    """What all topics share."""

    centre: NDArray[np.float64]  # (b,)
    coefficients: NDArray[np.float64]  # (p, b)

    def mean(self, design: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, b) expected responses of pairs of which nothing but the features is known."""
        return self.centre + design @ self.coefficients


class Forecast(NamedTuple):
    """Expected responses and the variance of one grade."""

    mean: NDArray[np.float64]  # (n, b)
    variance: NDArray[np.float64]  # (n,)


def fit(blocks: Sequence[Block], variance: float) -> tuple[Effects, list[Effects]]:
    """Generalised least squares with a ridge: the effects of all topics, and for each those of all others.

    The latter make honest forecasts of a topic as if it had never been seen. `variance`: of one grade.
    """
    centre = np.concatenate([block.responses for block in blocks]).mean(axis=0)
    left = [block.design.T @ block.inverse @ block.design for block in blocks]
    right = [block.design.T @ block.inverse @ (block.responses - centre) for block in blocks]
    lefts = np.sum(left, axis=0) + np.eye(left[0].shape[0]) * _RIDGE / variance
    rights = np.sum(right, axis=0)
    without = [
        Effects(centre, np.linalg.solve(lefts - own_left, rights - own_right))
        for own_left, own_right in zip(left, right, strict=True)
    ]
    return Effects(centre, np.linalg.solve(lefts, rights)), without


def forecast(
    block: Block,
    effects: Effects,
    design: NDArray[np.float64],
    covariances: NDArray[np.float64],
    is_left_out: NDArray[np.bool_],
    variance: NDArray[np.float64],
) -> Forecast:
    """Responses of n pairs from their `design` (n, p) and `covariances` (n, m) with the pairs of `block`.

    Each pair has judged pairs of its own that are left out, `is_left_out` (n, m), as if they had never been
    judged: the inverse of the block gives that exactly. `variance` (n,): of each grade beforehand.
    """
    mean, left_over = effects.mean(design), variance.copy()
    residuals = block.responses - effects.mean(block.design)
    for row, (covariance, out) in enumerate(zip(covariances, is_left_out, strict=True)):
        kept = np.where(out, 0, covariance)
        weights = block.inverse @ kept
        if out.any():
            beside = block.inverse[out]
            weights = weights - beside.T @ np.linalg.solve(beside[:, out], weights[out])
        mean[row] += weights @ np.where(out[:, None], 0, residuals)
        left_over[row] -= weights @ kept
    return Forecast(mean, np.maximum(left_over, 1e-9 * variance))


def joined(forecasts: Sequence[Forecast]) -> Forecast:
    """The forecasts of several topics as one."""
    return Forecast(
        np.concatenate([forecast.mean for forecast in forecasts]),
        np.concatenate([forecast.variance for forecast in forecasts]),
    )

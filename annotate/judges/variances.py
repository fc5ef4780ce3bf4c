"""How much of the grades' variance each kernel explains: maximum marginal likelihood.

Rasmussen and Williams 2006, Gaussian Processes for Machine Learning, section 5.4.1.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

_PAIRS, _STEPS = 60, 12  # enough to tell, few enough to be quick
_LEAST, _MOST = 1e-3, 20.0  # of the variance of the residuals
_LEAST_NOISE = 0.02  # an assessor is never surer than this; it also keeps the matrices well conditioned


class Variances(NamedTuple):
    """Of each of k kernels, and of the noise of one grade."""

    kernels: NDArray[np.float64]  # (k,)
    noise: float

    @property
    def total(self) -> float:
        """Of one grade of a pair of which only the features are known, with kernels of 1."""
        return float(self.kernels.sum()) + self.noise

    def beforehand(self, own_kernels: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) the same from the kernels (k, n) of each pair with itself."""
        return self.kernels @ own_kernels + self.noise

    def covariance(self, kernels: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, n) covariance of n judged pairs from their (k, n, n) kernels."""
        return np.tensordot(self.kernels, kernels, 1) + self.noise * np.eye(kernels.shape[-1])

    def inverse(self, kernels: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, n) inverse of `covariance`."""
        return np.asarray(np.linalg.inv(self.covariance(kernels)), np.float64)


Residuals = tuple[NDArray[np.float64], NDArray[np.float64]]  # kernels (k, n, n) and residuals (n,) of a topic


def fit(topics: Iterable[Residuals], seed: int) -> Variances:
    """The likeliest variances of independent topics, from at most 60 pairs of each, drawn by `seed`.

    `topics` is read once, so that it may make its matrices one after the other.
    """
    rng = np.random.default_rng(seed)
    drawn = [_draw(topic, rng) for topic in topics]
    spread = float(np.concatenate([residuals for _, residuals in drawn]).var()) or 1e-6
    count = len(drawn[0][0])
    low = np.log(spread * np.array([_LEAST] * count + [_LEAST_NOISE]))
    start = np.log(spread * np.array([0.5 / count] * count + [0.5]))
    found = minimize(
        _cost,
        start,
        args=(drawn,),
        jac=True,
        method="L-BFGS-B",
        bounds=[(least, np.log(_MOST * spread)) for least in low],
        options={"maxiter": _STEPS},
    ).x
    return Variances(np.exp(found[:-1]), float(np.exp(found[-1])))


def _draw(topic: Residuals, rng: np.random.Generator) -> Residuals:
    kernels, residuals = topic
    chosen = np.sort(rng.permutation(len(residuals))[:_PAIRS])
    return kernels[:, chosen][:, :, chosen], residuals[chosen]


def _cost(logs: NDArray[np.float64], topics: Sequence[Residuals]) -> tuple[float, NDArray[np.float64]]:
    """Negative log likelihood (without its constant) and its gradient by the log variances."""
    variances = Variances(np.exp(logs[:-1]), float(np.exp(logs[-1])))
    cost, gradient = 0.0, np.zeros(len(logs))
    for kernels, residuals in topics:
        covariance = variances.covariance(kernels)
        inverse = np.linalg.inv(covariance)
        weights = inverse @ residuals
        cost += 0.5 * (residuals @ weights + np.linalg.slogdet(covariance)[1])
        slope = inverse - np.outer(weights, weights)
        gradient[:-1] += 0.5 * (slope * kernels).sum(axis=(1, 2))
        gradient[-1] += 0.5 * np.trace(slope)
    return cost, gradient * np.exp(logs)

"""A linear mixed model with topics as blocks: features say what is common, judged neighbours what is left.

    response = centre + design @ coefficients + f + noise,   f ~ Gaussian process over the topic's pairs

Features are scaled by the collection and by the topic. Kernels say how alike two pairs of a topic are: the more alike,
the more their grades say of each other; how much of the grades' variance each kernel explains is the maximum of the
marginal likelihood. Several responses share one covariance. Rasmussen and Williams 2006, Gaussian Processes for Machine
Learning, sections 2.7 (fixed effects), 5.4.1 (marginal likelihood) and 5.4.2 (leaving out).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.judges import text_features

_PRIOR_PAIRS = 5  # a topic's mean and spread start from the collection's, as if from this many pairs
_LIMIT = 6.0  # spreads from the mean; beyond, a text is odd and how odd says nothing


class Scaling(NamedTuple):
    """Mean and spread (standard deviation, never 0) of p features."""

    mean: NDArray[np.float64]
    spread: NDArray[np.float64]


def scale_collection(features: NDArray[np.float64]) -> Scaling:
    """Mean and spread of the judged pairs of all topics, (n, p); NaN is left out."""
    is_known = ~np.isnan(features)
    counts = np.maximum(is_known.sum(axis=0), 1)
    mean = np.where(is_known, features, 0).sum(axis=0) / counts
    spread = np.sqrt((np.where(is_known, features - mean, 0) ** 2).sum(axis=0) / counts)
    return Scaling(mean, np.where(spread > 1e-9, spread, 1))


def scale_topic(collection: Scaling, features: NDArray[np.float64]) -> Scaling:
    """Mean and spread of one topic's judged pairs, (n, p) with n from 0, drawn towards the collection's."""
    known = np.where(np.isnan(features), collection.mean, features)
    weight = len(known) + _PRIOR_PAIRS
    mean = (known.sum(axis=0) + _PRIOR_PAIRS * collection.mean) / weight
    squares = ((known - mean) ** 2).sum(axis=0) + _PRIOR_PAIRS * collection.spread**2
    return Scaling(mean, np.sqrt(squares / weight))


def build_design(collection: Scaling, topic: Scaling, features: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 1 + 2p): a constant, the features scaled by the collection, and by the topic. NaN is at the mean."""
    both = np.hstack([(features - side.mean) / side.spread for side in (collection, topic)])
    return np.hstack([np.ones((len(features), 1)), np.nan_to_num(np.clip(both, -_LIMIT, _LIMIT))])


_CHAR_SCALE, _LATENT_SCALE, _DESIGN_SCALE = 0.2, 0.4, 1.0
_GRADE_SCALE = 1.0


def compute_text_kernels(
    texts: text_features.PairTexts, design: NDArray[np.float64], judged_design: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(4, n, m) covariances of n pairs with m judged ones, each 1 for a pair with itself.

    One topic (its assessor may be lenient), the same wording, the same subject, standing alike to the query.
    """
    return np.stack([*_wording_kernels(texts), _design_kernel(design, judged_design)])


def own_text_kernels(count: int) -> NDArray[np.float64]:
    """(4, n) the same of pairs with themselves."""
    return np.ones((4, count))


def compute_model_kernels(
    texts: text_features.PairTexts, grades: NDArray[np.float64], judged_grades: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(4, n, m) more covariances of n pairs with m judged ones, from models' `grades` less their mean.

    How the topic's grades rise with the models'; the same grade of the models, and that beside the same wording and
    beside the same subject. Each but the first is 1 for a pair with itself.
    """
    alike = np.exp(-((grades[:, None] - judged_grades[None, :]) ** 2) / (2 * _GRADE_SCALE))
    _, wording, subject = _wording_kernels(texts)
    return np.stack([np.outer(grades, judged_grades), alike, wording * alike, subject * alike])


def own_model_kernels(grades: NDArray[np.float64]) -> NDArray[np.float64]:
    """(4, n) the same of pairs with themselves."""
    one = np.ones(len(grades))
    return np.stack([grades**2, one, one, one])


def _wording_kernels(
    texts: text_features.PairTexts,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    return (
        np.ones(texts.chars.shape),
        np.exp((texts.chars.astype(np.float64) - 1) / _CHAR_SCALE),
        np.exp((texts.latent - 1) / _LATENT_SCALE),
    )


def _design_kernel(design: NDArray[np.float64], judged: NDArray[np.float64]) -> NDArray[np.float64]:
    squares = (design**2).sum(axis=1)[:, None] + (judged**2).sum(axis=1)[None, :] - 2 * design @ judged.T
    alike: NDArray[np.float64] = np.exp(-np.maximum(squares, 0) / (2 * _DESIGN_SCALE * design.shape[1]))
    return alike


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


def fit_variances(topics: Iterable[Residuals], seed: int) -> Variances:
    """The likeliest variances of independent topics, from at most 60 pairs of each, drawn by `seed`.

    `topics` is read once, so that it may make its matrices one after the other.
    """
    from scipy.optimize import minimize  # half a second to import

    rng = np.random.default_rng(seed)
    drawn = [_draw(topic, rng) for topic in topics]
    spread = float(np.concatenate([residuals for _, residuals in drawn]).var()) or 1e-6
    count = len(drawn[0][0])
    low = np.log(spread * np.array([_LEAST] * count + [_LEAST_NOISE]))
    start = np.log(spread * np.array([0.5 / count] * count + [0.5]))
    logs = minimize(
        _cost,
        start,
        args=(drawn,),
        jac=True,
        method="L-BFGS-B",
        bounds=[(least, np.log(_MOST * spread)) for least in low],
        options={"maxiter": _STEPS},
    ).x
    return Variances(np.exp(logs[:-1]), float(np.exp(logs[-1])))


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


def fit_effects(blocks: Sequence[Block], variance: float) -> tuple[Effects, list[Effects]]:
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


def forecast_pairs(
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


def join_forecasts(forecasts: Sequence[Forecast]) -> Forecast:
    """The forecasts of several topics as one."""
    return Forecast(
        np.concatenate([forecast.mean for forecast in forecasts]),
        np.concatenate([forecast.variance for forecast in forecasts]),
    )

"""How alike two pairs of a topic are: the more alike, the more their grades say of each other."""

import numpy as np
from numpy.typing import NDArray

from annotate.judges import pair_texts

_CHAR_SCALE, _LATENT_SCALE, _DESIGN_SCALE = 0.2, 0.4, 1.0
_GRADE_SCALE = 1.0


def of_texts(
    texts: pair_texts.PairTexts, design: NDArray[np.float64], judged_design: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(4, n, m) covariances of n pairs with m judged ones, each 1 for a pair with itself.

    One topic (its assessor may be lenient), the same wording, the same subject, standing alike to the query.
    """
    return np.stack([*_of_wording(texts), _standing_alike(design, judged_design)])


def of_texts_alone(count: int) -> NDArray[np.float64]:
    """(4, n) the same of pairs with themselves."""
    return np.ones((4, count))


def of_model(
    texts: pair_texts.PairTexts, grades: NDArray[np.float64], judged_grades: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(4, n, m) more covariances of n pairs with m judged ones, from models' `grades` less their mean.

    How the topic's grades rise with the models'; the same grade of the models, and that beside the same wording and
    beside the same subject. Each but the first is 1 for a pair with itself.
    """
    alike = np.exp(-((grades[:, None] - judged_grades[None, :]) ** 2) / (2 * _GRADE_SCALE))
    _, wording, subject = _of_wording(texts)
    return np.stack([np.outer(grades, judged_grades), alike, wording * alike, subject * alike])


def of_model_alone(grades: NDArray[np.float64]) -> NDArray[np.float64]:
    """(4, n) the same of pairs with themselves."""
    one = np.ones(len(grades))
    return np.stack([grades**2, one, one, one])


def _of_wording(texts: pair_texts.PairTexts) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    return (
        np.ones(texts.chars.shape),
        np.exp((texts.chars.astype(np.float64) - 1) / _CHAR_SCALE),
        np.exp((texts.latent - 1) / _LATENT_SCALE),
    )


def _standing_alike(design: NDArray[np.float64], judged: NDArray[np.float64]) -> NDArray[np.float64]:
    squares = (design**2).sum(axis=1)[:, None] + (judged**2).sum(axis=1)[None, :] - 2 * design @ judged.T
    alike: NDArray[np.float64] = np.exp(-np.maximum(squares, 0) / (2 * _DESIGN_SCALE * design.shape[1]))
    return alike

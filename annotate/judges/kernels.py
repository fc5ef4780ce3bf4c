"""How alike two pairs of a topic are: the more alike, the more their grades say of each other."""

import numpy as np
from numpy.typing import NDArray

from annotate.judges import pair_texts

_CHAR_SCALE, _LATENT_SCALE, _DESIGN_SCALE = 0.2, 0.4, 1.0


def between(
    texts: pair_texts.PairTexts, design: NDArray[np.float64], judged_design: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(4, n, m) covariances of n pairs with m judged ones, each 1 for a pair with itself.

    One topic (its assessor may be lenient), the same wording, the same subject, standing alike to the query.
    """
    return np.stack(
        [
            np.ones_like(texts.chars),
            np.exp((texts.chars - 1) / _CHAR_SCALE),
            np.exp((texts.latent - 1) / _LATENT_SCALE),
            _standing_alike(design, judged_design),
        ]
    )


def _standing_alike(design: NDArray[np.float64], judged: NDArray[np.float64]) -> NDArray[np.float64]:
    squares = (design**2).sum(axis=1)[:, None] + (judged**2).sum(axis=1)[None, :] - 2 * design @ judged.T
    alike: NDArray[np.float64] = np.exp(-np.maximum(squares, 0) / (2 * _DESIGN_SCALE * design.shape[1]))
    return alike

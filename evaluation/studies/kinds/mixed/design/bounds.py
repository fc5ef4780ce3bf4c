"""How far the grades that sampled pairs lack can move an estimate, and its standard error, at most."""

from dataclasses import dataclass

import numpy as np

from evaluation.measures.grade_matrix import Floats
from evaluation.studies.kinds.mixed.design.pair_design import Frame, Places, Sample, deviation_factors


@dataclass(frozen=True, eq=False)
class Room:
    """Of some weights (k): an estimate with half the top gain for each missing grade is off by `shift` (k) at most,
    its standard error by `error` (k) at most, whatever these grades are."""

    shift: Floats
    error: Floats


def room(frame: Frame, sample: Sample, weights: Floats, missing: Places) -> Room:
    """For the weights (k, sampled) of systems, or differences of them; `missing` are places in the sample.

    The standard error is a seminorm of the corrections, so that of a sum is at most the sum of both; and squared
    deviations from a mean are at most squares.
    """
    half = np.abs(weights[:, missing]) * (frame.top / 2)
    factor = deviation_factors(sample)[sample.stratum[missing]]
    return Room((half * sample.raises[missing]).sum(axis=-1), np.sqrt((half**2 * factor).sum(axis=-1)))

"""Whether a filler beats those that know nothing of the pairs, in the same trials."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from annotate.formats.scale import GradeScale
from evaluation.studies.kinds.holes.design import fillers, summaries
from evaluation.studies.kinds.holes.design.fillers import Filler

# So many standard errors of the mean difference, over trials, are no chance of the draws.
_ERRORS = 2.0
BEATS, LOSES, SAME = "better", "worse", "no difference"


def beside(cell: Mapping[str, Any], filler: Filler, scale: GradeScale) -> dict[str, Any]:
    """The trivial filler with the highest mean tau-b, and what this one has beyond it, trial by trial.

    tau-b by expected gains where the filler has gains. `verdict`: better or worse where the mean difference is more
    than two standard errors over trials from 0, else no difference; with one trial, by the difference.
    """
    own = cell[filler.text].get("tau_b_gain", cell[filler.text]["tau_b"])
    trivial = {each.text: cell[each.text]["tau_b"] for each in fillers.trivial(scale)}
    best = max(trivial, key=lambda text: _mean(trivial[text]))
    # A filler without chance has one trial where all have the same holes.
    rows = zip(own, trivial[best], strict=False)
    gaps = [a - b if not isinstance(a, str) and not isinstance(b, str) else "one of both is undefined" for a, b in rows]
    return {
        "best": best,
        "beyond": summaries.of(gaps),
        "verdict": _verdict([gap for gap in gaps if not isinstance(gap, str)]),
    }


def _mean(values: list[float | str]) -> float:
    numbers = [value for value in values if not isinstance(value, str)]
    return float(np.mean(numbers)) if numbers else -math.inf


def _verdict(gaps: list[float]) -> str:
    if not gaps:
        return SAME
    mean = float(np.mean(gaps))
    error = float(np.std(gaps, ddof=1)) / math.sqrt(len(gaps)) if len(gaps) > 1 else 0.0
    if abs(mean) <= _ERRORS * error + 1e-12:
        return SAME
    return BEATS if mean > 0 else LOSES

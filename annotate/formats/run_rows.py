"""The rows of a run as a file gives them, before they are put in THE order."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class RunRows(NamedTuple):
    """Columns of one length: `topics` are places in `query_ids`."""

    tag: str
    query_ids: list[str]
    topics: npt.NDArray[np.intp]
    passage_ids: Sequence[str]
    scores: npt.NDArray[np.float64]

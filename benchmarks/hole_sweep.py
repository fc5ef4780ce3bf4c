"""A sweep over drawn holes, as a hole-filling study makes it: for the speed and the memory that it takes."""

import multiprocessing
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.formats import run_store
from annotate.formats.records import Qrels
from evaluation.engine import pair_index, run_index, scoring
from evaluation.engine.pair_index import PairIndex
from evaluation.measures import registry
from evaluation.measures.grade_matrix import UNJUDGED, Floats, Grades
from evaluation.statistics import rank_correlation

FRACTIONS = tuple(tenths / 10 for tenths in range(1, 10))
TRIALS = 20
NDCG = registry.parse("nDCG@10")


class Sweep(NamedTuple):
    """Of each trial the grades that were left, (trial, n + 2), the means (trial, system) and tau-b."""

    grades: Grades
    means: Floats
    tau_b: Floats


def run(index: PairIndex, grades: Grades, seed: int = 1) -> Sweep:
    """Draws holes among the relevant grades for each fraction and trial; tau-b is with all grades."""
    random = np.random.default_rng(seed)
    left = np.stack([_with_holes(grades, fraction, random) for fraction in FRACTIONS for _ in range(TRIALS)])
    means = scoring.sweep_means(index, left, NDCG)
    [reference] = scoring.sweep_means(index, grades[np.newaxis], NDCG)
    return Sweep(left, means, rank_correlation.tau_bs(np.broadcast_to(reference, means.shape), means))


def qrels(index: PairIndex, grades: Grades) -> Qrels:
    """A grade vector as qrels, without its holes."""
    return {
        query_id: {name: int(grades[number]) for name, number in known.items() if grades[number] != UNJUDGED}
        for query_id, known in zip(index.topics, index.numbers, strict=True)
    }


def memory(stored: Sequence[Path], qrels: Qrels) -> float:
    """How far the memory of a fresh process rises above what it holds before the sweep, in MB. Linux only."""
    with multiprocessing.get_context("spawn").Pool(1) as process:
        return process.apply(_memory, (stored, qrels))


def _with_holes(grades: Grades, fraction: float, random: np.random.Generator) -> Grades:
    left = grades.copy()
    for grade in (1, 2, 3):
        pairs: NDArray[np.intp] = np.flatnonzero(grades == grade)
        left[random.choice(pairs, size=int(len(pairs) * fraction + 1e-9), replace=False)] = UNJUDGED
    return left


def _memory(stored: Sequence[Path], qrels: Qrels) -> float:
    rankings = run_index.build((run_store.load_top_ranks(path, 10) for path in stored), 10)
    index = pair_index.build(rankings, [qrels])
    grades = pair_index.grades(index, qrels)
    base = megabytes("VmRSS")
    run(index, grades)
    return megabytes("VmHWM") - base


def megabytes(what: str) -> float:
    """What the kernel says of this process, such as `VmHWM`, the most memory that it ever held. Linux only."""
    status = Path("/proc/self/status").read_text()
    result = re.search(rf"^{what}:\s+(\d+) kB$", status, re.MULTILINE)
    assert result, f"the kernel tells no {what}"
    return int(result[1]) / 1000

"""Rankings of systems and agreement of labels, as figures over trials."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotate.formats.records import GradeScale
from evaluation.agreement import alpha, kappa
from evaluation.agreement.value import Value
from evaluation.engine import scoring
from evaluation.engine.pair_index import PairIndex
from evaluation.measures.grade_matrix import Floats, Grades
from evaluation.measures.registry import Measure
from evaluation.statistics import rank_correlation, significance

EQUAL = "all systems have the same mean"
NO_NDCG = "its measure is not nDCG, so its means are not compared"

TrialFigure = list[float | str]  # of each trial the number, or why there is none


@dataclass(frozen=True, eq=False)
class SystemRanking:
    """Systems under one or several qrels: means (..., systems), places from 1 (ties share one), and which pairs of
    systems differ (..., pairs): 1 where the first is significantly ahead, -1 where the second is, 0 where none is."""

    means: Floats
    places: NDArray[np.int64]
    ahead: NDArray[np.int8]


def rank_systems(index: PairIndex, grades: Grades, measure: Measure, highest: int, level: float) -> SystemRanking:
    """Under all grades, a vector (n + 2)."""
    result = rank_systems_in_trials(
        list(scoring.sweep_values(index, grades[np.newaxis], measure, highest=highest)), level
    )
    return SystemRanking(result.means[0], result.places[0], result.ahead[0])


def rank_systems_in_trials(values: Sequence[Floats], level: float) -> SystemRanking:
    """Of values (systems, topics) for each trial."""
    # As `scoring.mean` has it: exact sums, so that systems with the same values tie.
    means = np.array([list(map(math.fsum, each.tolist())) for each in values]) / values[0].shape[-1]
    places = 1 + np.count_nonzero(means[:, np.newaxis, :] > means[:, :, np.newaxis], axis=-1)
    return SystemRanking(means, places, significance.signs_by_tukey(np.stack(values), level))


def correlate_rankings(reference: Floats, means: Floats, tags: Sequence[str]) -> dict[str, TrialFigure]:
    """tau-b and tau-AP of each ranking (trials, systems) with the reference's (systems)."""
    rows = np.broadcast_to(reference, means.shape)
    reason = EQUAL if len(tags) > 1 else rank_correlation.TOO_FEW
    return {
        "tau_b": as_figure(rank_correlation.tau_bs(rows, means), reason),
        "tau_ap": as_figure(rank_correlation.tau_aps(rows, means, tags), reason),
    }


def compare_rankings(reference: SystemRanking, result: SystemRanking, *, has_means: bool) -> dict[str, TrialFigure]:
    """How far systems moved, and which findings were lost or made; without `has_means` their means are no nDCG."""
    lost = (reference.ahead != 0) & (result.ahead == 0)
    made = (reference.ahead == 0) & (result.ahead != 0)
    turned = reference.ahead * result.ahead < 0
    moved = np.abs(result.places - reference.places).max(axis=-1)
    off = np.sqrt(np.mean((result.means - reference.means) ** 2, axis=-1))
    return {
        "largest_rank_change": moved.astype(np.float64).tolist(),
        "significant_lost": lost.sum(axis=-1).astype(np.float64).tolist(),
        "significant_found": made.sum(axis=-1).astype(np.float64).tolist(),
        "significant_reversed": turned.sum(axis=-1).astype(np.float64).tolist(),
        "rmse": off.tolist() if has_means else [NO_NDCG] * len(off),
    }


def as_figure(values: Floats, reason: str) -> TrialFigure:
    """The numbers; where one is NaN, the reason."""
    return [reason if value != value else value for value in values.tolist()]


NO_HOLE = "nothing was taken away"
NO_LABEL = "no hole was given a grade"
AGREEMENT_FIGURES = ("kappa_binary", "kappa", "alpha_ordinal", "gamma", "tau_b")


def confusion_tables(holes: NDArray[np.bool_], full: Grades, filled: Grades, scale: GradeScale) -> kappa.Tables:
    """The confusion of each trial (trials, grades, grades): rows are the grades taken away, columns what stands there.

    Holes that were left open are not counted.
    """
    trials, pairs = np.nonzero(holes)
    labels = filled[trials, pairs].astype(np.int64)
    is_filled = labels >= 0
    return kappa.tables(
        full[pairs[is_filled]].astype(np.int64), labels[is_filled], trials[is_filled], len(holes), scale.grades
    )


def add_kept_grades(on_holes: kappa.Tables, holes: NDArray[np.bool_], full: Grades, scale: GradeScale) -> kappa.Tables:
    """The confusion over all graded pairs: those that were kept agree with themselves."""
    of_all = np.array([np.count_nonzero(full == grade) for grade in scale.grades])
    taken = np.stack([np.count_nonzero(holes & (full[:-2] == grade), axis=-1) for grade in scale.grades], axis=-1)
    return np.asarray(on_holes + (of_all - taken)[:, :, np.newaxis] * np.eye(len(of_all), dtype=np.int64))


def agreement_figures(counts: kappa.Tables, scale: GradeScale, nothing: Sequence[str]) -> dict[str, TrialFigure]:
    """The figures of each trial's confusion; `nothing` says of each why there is none where no pair is in it."""
    binary = kappa.binarised(counts, scale.grades, scale.relevant_from)
    sizes = counts.sum(axis=(-2, -1))
    why = [reason if not size else "" for size, reason in zip(sizes.tolist(), nothing, strict=True)]
    ordered = rank_correlation.count_tables(counts)
    return {
        "kappa_binary": _figure(kappa.kappas(binary), why, kappa.ONE_GRADE_KAPPA),
        "kappa": _figure(kappa.kappas(counts), why, kappa.ONE_GRADE_KAPPA),
        "alpha_ordinal": _figure(alpha.alphas(alpha.coincidences_of_tables(counts)), why, alpha.ONE_GRADE),
        "gamma": _values([rank_correlation.gamma(each) for each in ordered], why),
        "tau_b": _values([rank_correlation.tau_b(each) for each in ordered], why),
    }


def _figure(numbers: Floats, why: Sequence[str], otherwise: str) -> TrialFigure:
    listed = zip(numbers.tolist(), why, strict=True)
    return [reason or (otherwise if number != number else number) for number, reason in listed]


def _values(values: Sequence[Value], why: Sequence[str]) -> TrialFigure:
    listed = zip(values, why, strict=True)
    return [reason or (value.reason if value.value is None else value.value) for value, reason in listed]

"""How far the grades that fill holes agree with those that were taken away."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from annotate.formats.scale import GradeScale
from evaluation.agreement import alpha, confusion, kappa
from evaluation.agreement.confusion import Tables
from evaluation.agreement.value import Value
from evaluation.measures.grade_matrix import Floats, Grades
from evaluation.statistics import rank_correlation
from evaluation.studies.kinds.holes.systems import TrialFigure

NO_HOLE = "nothing was taken away"
NO_LABEL = "no hole was given a grade"
AGREEMENT_FIGURES = ("kappa_binary", "kappa", "alpha_ordinal", "gamma", "tau_b")


def confusion_tables(holes: NDArray[np.bool_], full: Grades, filled: Grades, scale: GradeScale) -> Tables:
    """The confusion of each trial (trials, grades, grades): rows are the grades taken away, columns what stands there.

    Holes that were left open are not counted.
    """
    trials, pairs = np.nonzero(holes)
    labels = filled[trials, pairs].astype(np.int64)
    is_filled = labels >= 0
    return confusion.tables(
        full[pairs[is_filled]].astype(np.int64), labels[is_filled], trials[is_filled], len(holes), scale.grades
    )


def add_kept_grades(on_holes: Tables, holes: NDArray[np.bool_], full: Grades, scale: GradeScale) -> Tables:
    """The confusion over all graded pairs: those that were kept agree with themselves."""
    of_all = np.array([np.count_nonzero(full == grade) for grade in scale.grades])
    taken = np.stack([np.count_nonzero(holes & (full[:-2] == grade), axis=-1) for grade in scale.grades], axis=-1)
    result: Tables = on_holes + (of_all - taken)[:, :, np.newaxis] * np.eye(len(of_all), dtype=np.int64)
    return result


def agreement_figures(counts: Tables, scale: GradeScale, nothing: Sequence[str]) -> dict[str, TrialFigure]:
    """The figures of each trial's confusion; `nothing` says of each why there is none where no pair is in it."""
    binary = confusion.binarised(counts, scale.grades, scale.relevant_from)
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

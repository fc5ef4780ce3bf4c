"""What trials find: JSON, of each figure a list with the number of each trial, or the reason why there is none."""

from collections.abc import Iterator, Sequence

import numpy as np

from annotate.rules import seeds
from evaluation.engine import scoring
from evaluation.measures.grade_matrix import UNJUDGED, Floats, Grades
from evaluation.studies.design.plan import PlanRefused
from evaluation.studies.kinds.holes import draws, labels, strategies, systems
from evaluation.studies.kinds.holes.draws import Part
from evaluation.studies.kinds.holes.inputs import Flags, Prepared
from evaluation.studies.kinds.holes.strategies import DEPTH, Filler, Pattern
from evaluation.studies.kinds.holes.systems import TrialFigure


def remaining_grades(prepared: Prepared, holes: Flags) -> Grades:
    """The grades that remain in each trial, (trials, n + 2)."""
    result = np.tile(prepared.full, (len(holes), 1))
    result[:, :-2][holes] = UNJUDGED
    return result


def fill_holes(
    prepared: Prepared, filler: Filler, pattern: Pattern, names: Sequence[str], holes: Flags, remaining: Grades
) -> Grades:
    """The grades of each trial with what the filler puts into the holes; UNJUDGED where it has nothing to say."""
    if filler.kind == strategies.NONE or filler.has_measure:
        return remaining
    result = remaining.copy()
    cells = result[:, :-2]
    if filler.kind == strategies.CONSTANT:
        cells[holes] = filler.grade
    elif filler.kind == strategies.MODEL:
        cells[holes] = np.broadcast_to(_of_model(prepared, filler)[:-2], cells.shape)[holes]
    else:
        for row, name in enumerate(names):
            likely = _grade_probabilities(prepared, filler, remaining[row])
            if likely is not None:
                chosen = _drawn(prepared, filler, pattern, name, likely)
                cells[row, holes[row]] = chosen[holes[row]]
    return result


def _of_model(prepared: Prepared, filler: Filler) -> Grades:
    if filler.text not in prepared.inputs.models:
        raise PlanRefused(f"the grades that {filler.text} needs are not there")
    return prepared.on_pairs(prepared.inputs.models[filler.text])


def _grade_probabilities(prepared: Prepared, filler: Filler, remaining: Grades) -> Floats | None:
    """How likely each grade of the scale is drawn; None where no grade is left to draw from."""
    scale = prepared.inputs.scale
    if filler.kind == strategies.RANDOM:
        return np.full(len(scale.grades), 1.0 / len(scale.grades))
    counts = np.bincount(remaining[remaining >= 0], minlength=scale.high + 1)[scale.low :]
    return counts / counts.sum() if counts.sum() else None


def _drawn(prepared: Prepared, filler: Filler, pattern: Pattern, name: str, likely: Floats) -> Grades:
    """A grade for each pair. It is drawn for all of them, so that a pair has the same luck under every fraction."""
    random = np.random.default_rng(seeds.number(prepared.plan.seed, "fill", filler.text, pattern.text, name))
    scale = prepared.inputs.scale
    places = np.searchsorted(np.cumsum(likely)[:-1], random.random(len(prepared.pool)), side="right")
    return (scale.low + places).astype(prepared.full.dtype)


TrialResult = dict[str, object]


def run_label_trials(prepared: Prepared, part: Part) -> TrialResult:
    """By filler, with how many grades each trial took away."""
    taken = draws.draw_holes(prepared, part.pattern, part.fraction, part.names)
    remaining = remaining_grades(prepared, taken)
    result: TrialResult = {"trials": list(part.names), "dropped": taken.sum(axis=-1).tolist()}
    for filler in part.fillers:
        # A pool cut at a depth has one set of holes: without chance in the filler, one trial tells all.
        rows = slice(1) if part.pattern.kind == DEPTH and not filler.is_drawn else slice(None)
        names, few, known = part.names[rows], taken[rows], remaining[rows]
        vectors = fill_holes(prepared, filler, part.pattern, names, few, known)
        values = list(score_systems(prepared, filler, vectors))
        result[filler.text] = compare_with_reference(prepared, filler, values) | measure_agreement(
            prepared, filler, few, vectors
        )
    return result


def score_systems(prepared: Prepared, filler: Filler, vectors: Grades) -> Iterator[Floats]:
    """The measure that ranks systems with this filler, (systems, topics), under each of the grade vectors."""
    index, measure = prepared.measure_of(filler)
    return scoring.sweep_values(index, vectors, measure, highest=prepared.highest)


def compare_with_reference(prepared: Prepared, filler: Filler, values: Sequence[Floats]) -> TrialResult:
    """What becomes of the ranking by the values (systems, topics) of each trial, and the means of the systems."""
    reference, tags = prepared.standing, prepared.index.run_tags
    result = systems.rank_systems_in_trials(values, prepared.plan.level)
    own: dict[str, TrialFigure] = {}
    if filler.has_measure:
        own = {"tau_b_own": systems.correlate_rankings(_own_means(prepared, filler), result.means, tags)["tau_b"]}
    return {
        **systems.correlate_rankings(reference.means, result.means, tags),
        **own,
        **systems.compare_rankings(reference, result, has_means=not filler.has_measure),
        "means": result.means.tolist(),
    }


def measure_agreement(prepared: Prepared, filler: Filler, taken: Flags, vectors: Grades) -> TrialResult:
    """On the holes alone, and over all labels. Of what fills nothing there is none."""
    scale = prepared.inputs.scale
    on_holes = labels.confusion_tables(taken, prepared.full, vectors, scale)
    nothing = [labels.NO_LABEL if size else labels.NO_HOLE for size in taken.sum(axis=-1).tolist()]
    over_all = labels.add_kept_grades(on_holes, taken, prepared.full, scale)
    over_all[on_holes.sum(axis=(-2, -1)) == 0] = 0
    both = labels.agreement_figures(np.concatenate([on_holes, over_all]), scale, nothing * 2)
    return {
        "unfilled": np.count_nonzero(taken & (vectors[:, :-2] == UNJUDGED), axis=-1).tolist(),
        "on_holes": {kind: figure[: len(taken)] for kind, figure in both.items()},
        "confusion": on_holes.tolist(),
        "over_all": {kind: figure[len(taken) :] for kind, figure in both.items()},
    }


def _own_means(prepared: Prepared, filler: Filler) -> Floats:
    """What a measure that passes over holes says of all grades."""
    result = systems.rank_systems_in_trials(
        list(score_systems(prepared, filler, prepared.full[np.newaxis])), prepared.plan.level
    )
    means: Floats = result.means[0]
    return means

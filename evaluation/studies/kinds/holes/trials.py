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


def remaining_grades(ground: Prepared, holes: Flags) -> Grades:
    """The grades that remain in each trial, (trials, n + 2)."""
    found = np.tile(ground.full, (len(holes), 1))
    found[:, :-2][holes] = UNJUDGED
    return found


def fill_holes(
    ground: Prepared, filler: Filler, pattern: Pattern, names: Sequence[str], holes: Flags, remaining: Grades
) -> Grades:
    """The grades of each trial with what the filler puts into the holes; UNJUDGED where it has nothing to say."""
    if filler.kind == strategies.NONE or filler.has_measure:
        return remaining
    found = remaining.copy()
    cells = found[:, :-2]
    if filler.kind == strategies.CONSTANT:
        cells[holes] = filler.grade
    elif filler.kind == strategies.MODEL:
        cells[holes] = np.broadcast_to(_of_model(ground, filler)[:-2], cells.shape)[holes]
    else:
        for row, name in enumerate(names):
            chances = _chances(ground, filler, remaining[row])
            if chances is not None:
                chosen = _drawn(ground, filler, pattern, name, chances)
                cells[row, holes[row]] = chosen[holes[row]]
    return found


def _of_model(ground: Prepared, filler: Filler) -> Grades:
    if filler.text not in ground.inputs.models:
        raise PlanRefused(f"the grades that {filler.text} needs are not there")
    return ground.on_pairs(ground.inputs.models[filler.text])


def _chances(ground: Prepared, filler: Filler, remaining: Grades) -> Floats | None:
    """How likely each grade of the scale is drawn; None where no grade is left to draw from."""
    scale = ground.inputs.scale
    if filler.kind == strategies.RANDOM:
        return np.full(len(scale.grades), 1.0 / len(scale.grades))
    counts = np.bincount(remaining[remaining >= 0], minlength=scale.high + 1)[scale.low :]
    return counts / counts.sum() if counts.sum() else None


def _drawn(ground: Prepared, filler: Filler, pattern: Pattern, name: str, chances: Floats) -> Grades:
    """A grade for each pair. It is drawn for all of them, so that a pair has the same luck under every fraction."""
    random = np.random.default_rng(seeds.number(ground.plan.seed, "fill", filler.text, pattern.text, name))
    scale = ground.inputs.scale
    places = np.searchsorted(np.cumsum(chances)[:-1], random.random(len(ground.pool)), side="right")
    return (scale.low + places).astype(ground.full.dtype)


TrialResult = dict[str, object]


def run_label_trials(ground: Prepared, part: Part) -> TrialResult:
    """By filler, with how many grades each trial took away."""
    taken = draws.draw_holes(ground, part.pattern, part.fraction, part.names)
    remaining = remaining_grades(ground, taken)
    found: TrialResult = {"trials": list(part.names), "dropped": taken.sum(axis=-1).tolist()}
    for filler in part.fillers:
        # A pool cut at a depth has one set of holes: without chance in the filler, one trial tells all.
        rows = slice(1) if part.pattern.kind == DEPTH and not filler.is_drawn else slice(None)
        names, few, known = part.names[rows], taken[rows], remaining[rows]
        vectors = fill_holes(ground, filler, part.pattern, names, few, known)
        values = list(score_systems(ground, filler, vectors))
        found[filler.text] = compare_with_reference(ground, filler, values) | measure_agreement(
            ground, filler, few, vectors
        )
    return found


def score_systems(ground: Prepared, filler: Filler, vectors: Grades) -> Iterator[Floats]:
    """The measure that ranks systems with this filler, (systems, topics), under each of the grade vectors."""
    index, measure = ground.measure_of(filler)
    return scoring.sweep_values(index, vectors, measure, highest=ground.highest)


def compare_with_reference(ground: Prepared, filler: Filler, values: Sequence[Floats]) -> TrialResult:
    """What becomes of the ranking by the values (systems, topics) of each trial, and the means of the systems."""
    reference, tags = ground.standing, ground.index.run_tags
    found = systems.rank_systems_in_trials(values, ground.plan.level)
    own: dict[str, TrialFigure] = {}
    if filler.has_measure:
        own = {"tau_b_own": systems.correlate_rankings(_own_means(ground, filler), found.means, tags)["tau_b"]}
    return {
        **systems.correlate_rankings(reference.means, found.means, tags),
        **own,
        **systems.compare_rankings(reference, found, has_means=not filler.has_measure),
        "means": found.means.tolist(),
    }


def measure_agreement(ground: Prepared, filler: Filler, taken: Flags, vectors: Grades) -> TrialResult:
    """On the holes alone, and over all labels. Of what fills nothing there is none."""
    scale = ground.inputs.scale
    on_holes = labels.confusion_tables(taken, ground.full, vectors, scale)
    nothing = [labels.NO_LABEL if size else labels.NO_HOLE for size in taken.sum(axis=-1).tolist()]
    over_all = labels.add_kept_grades(on_holes, taken, ground.full, scale)
    over_all[on_holes.sum(axis=(-2, -1)) == 0] = 0
    both = labels.agreement_figures(np.concatenate([on_holes, over_all]), scale, nothing * 2)
    return {
        "unfilled": np.count_nonzero(taken & (vectors[:, :-2] == UNJUDGED), axis=-1).tolist(),
        "on_holes": {kind: figure[: len(taken)] for kind, figure in both.items()},
        "confusion": on_holes.tolist(),
        "over_all": {kind: figure[len(taken) :] for kind, figure in both.items()},
    }


def _own_means(ground: Prepared, filler: Filler) -> Floats:
    """What a measure that passes over holes says of all grades."""
    found = systems.rank_systems_in_trials(
        list(score_systems(ground, filler, ground.full[np.newaxis])), ground.plan.level
    )
    means: Floats = found.means[0]
    return means

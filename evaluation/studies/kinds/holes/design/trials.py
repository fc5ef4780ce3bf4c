"""What trials find: JSON, of each figure a list with the number of each trial, or the reason why there is none."""

from collections.abc import Iterator, Sequence

import numpy as np

from evaluation.engine import sweep
from evaluation.measures.grade_matrix import UNJUDGED, Floats, Grades
from evaluation.studies.kinds.holes.design import filling, holes, labels, systems
from evaluation.studies.kinds.holes.design.fillers import Filler
from evaluation.studies.kinds.holes.design.ground import Flags, Ground
from evaluation.studies.kinds.holes.design.parts import Part
from evaluation.studies.kinds.holes.design.patterns import DEPTH
from evaluation.studies.kinds.holes.design.systems import Figure

Found = dict[str, object]


def of_labels(ground: Ground, part: Part) -> Found:
    """By filler, with how many grades each trial took away."""
    taken = holes.draw(ground, part.pattern, part.fraction, part.names)
    remaining = filling.left(ground, taken)
    found: Found = {"trials": list(part.names), "dropped": taken.sum(axis=-1).tolist()}
    for filler in part.fillers:
        # A pool cut at a depth has one set of holes: without chance in the filler, one trial tells all.
        rows = slice(1) if part.pattern.kind == DEPTH and not filler.is_drawn else slice(None)
        names, few, known = part.names[rows], taken[rows], remaining[rows]
        vectors = filling.filled(ground, filler, part.pattern, names, few, known)
        values = list(values_of(ground, filler, vectors))
        found[filler.text] = ranking(ground, filler, values) | agreement(ground, filler, few, vectors)
    return found


def values_of(ground: Ground, filler: Filler, vectors: Grades) -> Iterator[Floats]:
    """The measure that ranks systems with this filler, (systems, topics), under each of the grade vectors."""
    index, measure = ground.measure_of(filler)
    return sweep.values(index, vectors, measure, highest=ground.highest)


def ranking(ground: Ground, filler: Filler, values: Sequence[Floats]) -> Found:
    """What becomes of the ranking by the values (systems, topics) of each trial, and the means of the systems."""
    reference, tags = ground.standing, ground.index.run_tags
    found = systems.standings(values, ground.plan.level)
    own: dict[str, Figure] = {}
    if filler.has_measure:
        own = {"tau_b_own": systems.correlations(_own_means(ground, filler), found.means, tags)["tau_b"]}
    return {
        **systems.correlations(reference.means, found.means, tags),
        **own,
        **systems.changes(reference, found, has_means=not filler.has_measure),
        "means": found.means.tolist(),
    }


def agreement(ground: Ground, filler: Filler, taken: Flags, vectors: Grades) -> Found:
    """On the holes alone, and over all labels. Of what fills nothing there is none."""
    scale = ground.inputs.scale
    on_holes = labels.tables(taken, ground.full, vectors, scale)
    nothing = [labels.NO_LABEL if size else labels.NO_HOLE for size in taken.sum(axis=-1).tolist()]
    over_all = labels.with_kept(on_holes, taken, ground.full, scale)
    over_all[on_holes.sum(axis=(-2, -1)) == 0] = 0
    both = labels.agreement(np.concatenate([on_holes, over_all]), scale, nothing * 2)
    return {
        "unfilled": np.count_nonzero(taken & (vectors[:, :-2] == UNJUDGED), axis=-1).tolist(),
        "on_holes": {kind: figure[: len(taken)] for kind, figure in both.items()},
        "confusion": on_holes.tolist(),
        "over_all": {kind: figure[len(taken) :] for kind, figure in both.items()},
    }


def _own_means(ground: Ground, filler: Filler) -> Floats:
    """What a measure that passes over holes says of all grades."""
    found = systems.standings(list(values_of(ground, filler, ground.full[np.newaxis])), ground.plan.level)
    means: Floats = found.means[0]
    return means

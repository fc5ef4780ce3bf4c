"""What label fillers put into the holes of each trial."""

from collections.abc import Sequence

import numpy as np

from annotate.rules import seeds
from evaluation.measures.grade_matrix import UNJUDGED, Floats, Grades
from evaluation.studies.design.plan_fields import PlanRefused
from evaluation.studies.kinds.holes.design import fillers
from evaluation.studies.kinds.holes.design.fillers import Filler
from evaluation.studies.kinds.holes.design.ground import Flags, Ground
from evaluation.studies.kinds.holes.design.patterns import Pattern


def left(ground: Ground, holes: Flags) -> Grades:
    """The grades that remain in each trial, (trials, n + 2)."""
    found = np.tile(ground.full, (len(holes), 1))
    found[:, :-2][holes] = UNJUDGED
    return found


def filled(
    ground: Ground, filler: Filler, pattern: Pattern, names: Sequence[str], holes: Flags, remaining: Grades
) -> Grades:
    """The grades of each trial with what the filler puts into the holes; UNJUDGED where it has nothing to say."""
    if filler.kind == fillers.NONE or filler.has_measure:
        return remaining
    found = remaining.copy()
    cells = found[:, :-2]
    if filler.kind == fillers.CONSTANT:
        cells[holes] = filler.grade
    elif filler.kind == fillers.MODEL:
        cells[holes] = np.broadcast_to(_of_model(ground, filler)[:-2], cells.shape)[holes]
    else:
        for row, name in enumerate(names):
            chances = _chances(ground, filler, remaining[row])
            if chances is not None:
                chosen = _drawn(ground, filler, pattern, name, chances)
                cells[row, holes[row]] = chosen[holes[row]]
    return found


def _of_model(ground: Ground, filler: Filler) -> Grades:
    if filler.text not in ground.inputs.models:
        raise PlanRefused(f"the grades that {filler.text} needs are not there")
    return ground.on_pairs(ground.inputs.models[filler.text])


def _chances(ground: Ground, filler: Filler, remaining: Grades) -> Floats | None:
    """How likely each grade of the scale is drawn; None where no grade is left to draw from."""
    scale = ground.inputs.scale
    if filler.kind == fillers.RANDOM:
        return np.full(len(scale.grades), 1.0 / len(scale.grades))
    counts = np.bincount(remaining[remaining >= 0], minlength=scale.high + 1)[scale.low :]
    return counts / counts.sum() if counts.sum() else None


def _drawn(ground: Ground, filler: Filler, pattern: Pattern, name: str, chances: Floats) -> Grades:
    """A grade for each pair. It is drawn for all of them, so that a pair has the same luck under every fraction."""
    random = np.random.default_rng(seeds.number(ground.plan.seed, "fill", filler.text, pattern.text, name))
    scale = ground.inputs.scale
    places = np.searchsorted(np.cumsum(chances)[:-1], random.random(len(ground.pool)), side="right")
    return (scale.low + places).astype(ground.full.dtype)

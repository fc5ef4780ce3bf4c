"""Trials: which holes are made, what fills them, and what each trial comes to."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.rules import drawing
from evaluation.engine import scoring
from evaluation.engine.run_index import Numbers
from evaluation.measures.grade_matrix import UNJUDGED, Floats, Grades
from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds.holes import plan, systems
from evaluation.studies.kinds.holes.inputs import Flags, Prepared
from evaluation.studies.kinds.holes.plan import DEPTH, Filler, Pattern

# By how much topics differ under `uneven`, on the scale of log-odds: at a half, one topic in five keeps or loses 95 %.
_SPREAD = 4.0
# Of how many trials the order of pairs is kept for the next fraction.
_MOST_KEPT = 100


def list_trials(prepared: Prepared, pattern: Pattern) -> list[str]:
    """The names of the trials: what is left out, or numbers from 1. Raises PlanRefused where there is no group."""
    if pattern.kind == plan.LEAVE_SYSTEM_OUT:
        return list(prepared.pool.run_tags)
    if pattern.kind == plan.LEAVE_GROUP_OUT:
        return _groups(prepared)
    return [str(number) for number in range(1, prepared.plan.trials + 1)]


def draw_holes(prepared: Prepared, pattern: Pattern, fraction: float | None, names: Sequence[str]) -> Flags:
    """Which pairs become holes in each of these trials: (trials, pairs). A pair without a grade never does."""
    result: Flags = np.zeros((len(names), len(prepared.pool)), np.bool_)
    if pattern.leaves_out:
        chosen = np.stack([_brought_by(prepared, pattern, name) for name in names])
    elif pattern.kind == plan.DEPTH:
        at_top = _among(prepared.pool.at_ranks[..., : pattern.depth], len(prepared.pool))
        chosen = np.tile(~at_top[prepared.judged], (len(names), 1))
    else:
        assert fraction is not None
        chosen = np.stack([_are_taken(prepared, pattern, name, fraction) for name in names])
    result[:, prepared.judged] = chosen
    return result


def left_out_systems(prepared: Prepared, pattern: Pattern, name: str) -> list[int]:
    """The systems that a trial leaves out, by their places; none where it leaves none out."""
    if not pattern.leaves_out:
        return []
    if pattern.kind == plan.LEAVE_SYSTEM_OUT:
        return [prepared.pool.run_tags.index(name)]
    return [place for place, tag in enumerate(prepared.pool.run_tags) if prepared.inputs.groups.get(tag) == name]


def _groups(prepared: Prepared) -> list[str]:
    result = sorted({prepared.inputs.groups[tag] for tag in prepared.pool.run_tags if prepared.inputs.groups.get(tag)})
    if not result:
        raise PlanRefused("no run has a group, so none can be left out: say which runs belong together")
    return result


def _brought_by(prepared: Prepared, pattern: Pattern, name: str) -> Flags:
    """Which judged pairs stand in the first ranks of these systems, and of no other."""
    ranks = prepared.pool.at_ranks[..., : prepared.plan.depth]
    inside = np.zeros(len(ranks), np.bool_)
    inside[left_out_systems(prepared, pattern, name)] = True
    ours, others = (_among(ranks[chosen], len(prepared.pool)) for chosen in (inside, ~inside))
    return np.asarray((ours & ~others)[prepared.judged])


def _among(ranks: Numbers, pairs: int) -> Flags:
    """Whether each pair stands at any of the ranks."""
    result = np.zeros(pairs + 2, np.bool_)
    result[ranks] = True
    return result[:-2]


def _grouped(prepared: Prepared, pattern: Pattern) -> NDArray[np.intp]:
    """Of each judged pair the group of which a share is taken; -1 for those that stay."""
    grades = prepared.full[prepared.judged]
    if pattern.kind == plan.RELEVANT:
        return np.where(grades > prepared.inputs.scale.low, grades, -1).astype(np.intp)
    if pattern.kind == plan.ALL:
        return grades.astype(np.intp)
    if pattern.kind == plan.PER_TOPIC:
        return _topics(prepared)
    return np.zeros(len(grades), np.intp)


def _topics(prepared: Prepared) -> NDArray[np.intp]:
    """The place of the topic of each judged pair."""
    lengths = [len(known) for known in prepared.pool.numbers]
    return np.repeat(np.arange(len(lengths)), lengths)[prepared.judged]


def _keys(prepared: Prepared, pattern: Pattern, groups: NDArray[np.intp], name: str) -> NDArray[np.float64]:
    """Who goes first within a group: chance, under `uneven` also the fate of the topic."""
    random = np.random.default_rng(drawing.seeded_number(prepared.plan.seed, "holes", pattern.text, name))
    keys = random.random(len(groups))
    if pattern.kind == plan.UNEVEN:
        fates = _SPREAD * random.standard_normal(len(prepared.pool.topics))
        keys = np.log(keys / (1.0 - keys)) + fates[_topics(prepared)]
    return keys


def _are_taken(prepared: Prepared, pattern: Pattern, name: str, fraction: float) -> Flags:
    """The first floor(n * fraction) of the n pairs of each group, as `annotate.rules.drawing` counts them."""
    if (pattern, name) not in prepared.places:
        if len(prepared.places) >= _MOST_KEPT:
            prepared.places.clear()
        prepared.places[pattern, name] = _places(prepared, pattern, name)
    places, sizes = prepared.places[pattern, name]
    # A share such as 0.29 of 100 is 28.999... in binary: what a person means is 29.
    return np.asarray(places < np.floor(sizes * fraction + 1e-9))


def _places(prepared: Prepared, pattern: Pattern, name: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Of each judged pair its place in its group, from 0 in the order of the keys, and the size of the group."""
    groups = _grouped(prepared, pattern)
    order = np.argsort(_keys(prepared, pattern, groups, name), kind="stable")
    order = order[np.argsort(groups[order].astype(np.int16), kind="stable")]
    counts = np.bincount(groups + 1)
    places = np.empty(len(groups), np.int32)
    places[order] = np.arange(len(groups)) - np.repeat(np.cumsum(counts) - counts, counts)
    counts[0] = 0  # who is in no group stays
    return places, counts[groups + 1].astype(np.int32)


_AT_ONCE = 50
_LABELS = "labels"


class Part(NamedTuple):
    """`names` are those of the trials; `fillers` what is put into their holes."""

    pattern: Pattern
    fraction: float | None
    fillers: tuple[Filler, ...]
    names: tuple[str, ...]
    first: int

    @property
    def name(self) -> str:
        """Short, whatever the names of models are."""
        share = "" if self.fraction is None else f" {self.fraction}"
        return f"{self.pattern.text}{share} from trial {self.first}"

    @property
    def cell(self) -> tuple[str, float | None]:
        return self.pattern.text, self.fraction


def split_into_parts(prepared: Prepared) -> dict[str, Part]:
    """All parts by their names, in the order of results. Raises PlanRefused as `holes.trials`."""
    result: dict[str, Part] = {}
    asked = prepared.plan.all_fillers(prepared.inputs.scale)
    for pattern in prepared.plan.patterns:
        names = tuple(list_trials(prepared, pattern))
        for fraction in prepared.plan.fractions if pattern.has_fractions else (None,):
            for part in _label_parts(pattern, fraction, tuple(each for each in asked if not each.is_fitted), names):
                result[f"{part.name}: {_LABELS}"] = part
            for number, filler in enumerate(each for each in asked if each.is_fitted):
                for part in _judge_parts(pattern, fraction, filler, names):
                    result[f"{part.name}: judge {number + 1}"] = part
    return result


def _label_parts(
    pattern: Pattern, fraction: float | None, chosen: tuple[Filler, ...], names: tuple[str, ...]
) -> Iterator[Part]:
    for start in range(0, len(names), _AT_ONCE):
        # A pool cut at a depth has one set of holes: what is filled without chance is known from the first trial.
        some = tuple(each for each in chosen if each.is_drawn) if start and pattern.kind == DEPTH else chosen
        yield Part(pattern, fraction, some, names[start : start + _AT_ONCE], start + 1)


def _judge_parts(pattern: Pattern, fraction: float | None, filler: Filler, names: tuple[str, ...]) -> Iterator[Part]:
    """A trial at a time: a judge takes seconds to learn. A pool cut at a depth has one set of holes in all trials."""
    for number, name in enumerate(names[:1] if pattern.kind == DEPTH else names):
        yield Part(pattern, fraction, (filler,), (name,), number + 1)


def remaining_grades(prepared: Prepared, holes: Flags) -> Grades:
    """The grades that remain in each trial, (trials, n + 2)."""
    result = np.tile(prepared.full, (len(holes), 1))
    result[:, :-2][holes] = UNJUDGED
    return result


def fill_holes(
    prepared: Prepared, filler: Filler, pattern: Pattern, names: Sequence[str], holes: Flags, remaining: Grades
) -> Grades:
    """The grades of each trial with what the filler puts into the holes; UNJUDGED where it has nothing to say."""
    if filler.kind == plan.NONE or filler.has_measure:
        return remaining
    result = remaining.copy()
    cells = result[:, :-2]
    if filler.kind == plan.CONSTANT:
        cells[holes] = filler.grade
    elif filler.kind == plan.MODEL:
        cells[holes] = np.broadcast_to(_model_grades(prepared, filler)[:-2], cells.shape)[holes]
    else:
        for row, name in enumerate(names):
            likely = _grade_probabilities(prepared, filler, remaining[row])
            if likely is not None:
                chosen = _drawn(prepared, filler, pattern, name, likely)
                cells[row, holes[row]] = chosen[holes[row]]
    return result


def _model_grades(prepared: Prepared, filler: Filler) -> Grades:
    if filler.text not in prepared.inputs.models:
        raise PlanRefused(f"the grades that {filler.text} needs are not there")
    return prepared.on_pairs(prepared.inputs.models[filler.text])


def _grade_probabilities(prepared: Prepared, filler: Filler, remaining: Grades) -> Floats | None:
    """How likely each grade of the scale is drawn; None where no grade is left to draw from."""
    scale = prepared.inputs.scale
    if filler.kind == plan.RANDOM:
        return np.full(len(scale.grades), 1.0 / len(scale.grades))
    counts = np.bincount(remaining[remaining >= 0], minlength=scale.high + 1)[scale.low :]
    return counts / counts.sum() if counts.sum() else None


def _drawn(prepared: Prepared, filler: Filler, pattern: Pattern, name: str, likely: Floats) -> Grades:
    """A grade for each pair. It is drawn for all of them, so that a pair has the same luck under every fraction."""
    random = np.random.default_rng(drawing.seeded_number(prepared.plan.seed, "fill", filler.text, pattern.text, name))
    scale = prepared.inputs.scale
    places = np.searchsorted(np.cumsum(likely)[:-1], random.random(len(prepared.pool)), side="right")
    return (scale.low + places).astype(prepared.full.dtype)


TrialResult = dict[str, object]


def run_label_trials(prepared: Prepared, part: Part) -> TrialResult:
    """By filler, with how many grades each trial took away."""
    taken = draw_holes(prepared, part.pattern, part.fraction, part.names)
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
    reference, tags = prepared.full_ranking, prepared.index.run_tags
    result = systems.rank_systems_in_trials(values, prepared.plan.level)
    own: dict[str, systems.TrialFigure] = {}
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
    on_holes = systems.confusion_tables(taken, prepared.full, vectors, scale)
    nothing = [systems.NO_LABEL if size else systems.NO_HOLE for size in taken.sum(axis=-1).tolist()]
    over_all = systems.add_kept_grades(on_holes, taken, prepared.full, scale)
    over_all[on_holes.sum(axis=(-2, -1)) == 0] = 0
    both = systems.agreement_figures(np.concatenate([on_holes, over_all]), scale, nothing * 2)
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
    return np.asarray(result.means[0])

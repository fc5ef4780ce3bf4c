"""The parts of a hole study: some trials of one pattern and fraction, with all fillers of labels or with one judge."""

from collections.abc import Iterator
from typing import NamedTuple

from evaluation.studies.kinds.holes.design import holes
from evaluation.studies.kinds.holes.design.fillers import Filler
from evaluation.studies.kinds.holes.design.ground import Ground
from evaluation.studies.kinds.holes.design.patterns import DEPTH, Pattern

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


def named(ground: Ground) -> dict[str, Part]:
    """All parts by their names, in the order of results. Raises PlanRefused as `holes.trials`."""
    found: dict[str, Part] = {}
    asked = ground.plan.all_fillers(ground.inputs.scale)
    for pattern in ground.plan.patterns:
        names = tuple(holes.trials(ground, pattern))
        for fraction in ground.plan.fractions if pattern.has_fractions else (None,):
            for part in _of_labels(pattern, fraction, tuple(each for each in asked if not each.is_fitted), names):
                found[f"{part.name}: {_LABELS}"] = part
            for number, filler in enumerate(each for each in asked if each.is_fitted):
                for part in _of_judge(pattern, fraction, filler, names):
                    found[f"{part.name}: judge {number + 1}"] = part
    return found


def _of_labels(
    pattern: Pattern, fraction: float | None, chosen: tuple[Filler, ...], names: tuple[str, ...]
) -> Iterator[Part]:
    for start in range(0, len(names), _AT_ONCE):
        # A pool cut at a depth has one set of holes: what no chance fills is told by the first trial.
        some = tuple(each for each in chosen if each.is_drawn) if start and pattern.kind == DEPTH else chosen
        yield Part(pattern, fraction, some, names[start : start + _AT_ONCE], start + 1)


def _of_judge(pattern: Pattern, fraction: float | None, filler: Filler, names: tuple[str, ...]) -> Iterator[Part]:
    """A trial at a time: a judge takes seconds to learn. A pool cut at a depth has one set of holes in all trials."""
    for number, name in enumerate(names[:1] if pattern.kind == DEPTH else names):
        yield Part(pattern, fraction, (filler,), (name,), number + 1)

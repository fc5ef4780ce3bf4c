"""The inputs of a hole study as its trials read them: pairs by number, systems by tag, what all grades say."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotate.formats.records import Qrels
from evaluation.engine import pair_index
from evaluation.engine.pair_index import PairIndex
from evaluation.engine.run_index import Numbers, RunIndex
from evaluation.measures import grade_matrix, registry
from evaluation.measures.grade_matrix import Grades
from evaluation.measures.measure import Measure
from evaluation.studies.design.plan_fields import PlanRefused
from evaluation.studies.kinds.holes.design import fillers, systems
from evaluation.studies.kinds.holes.design.fillers import Filler
from evaluation.studies.kinds.holes.design.inputs import Inputs
from evaluation.studies.kinds.holes.design.plan import CUTOFF, Plan
from evaluation.studies.kinds.holes.design.systems import Standing

Flags = NDArray[np.bool_]
BPREF = registry.parse("bpref")


@dataclass(frozen=True, eq=False)
class Ground:
    """Pairs are numbered by topic and passage, whatever the order of the inputs; systems stand by their tags.

    `index` has the first ranks, of which nDCG is made, `pool` as many as the plan needs, `lists` the passages that the
    reference knows of, at all ranks that were given. `full` (n + 2) are the grades of the reference by pair number;
    `judged` are the numbers of pairs with a grade. `standing` is what the measure says of the systems with all grades.
    `places` and `compared` keep what trials share: the order in which pairs go, and texts compared with one another.
    """

    plan: Plan
    inputs: Inputs
    index: PairIndex
    pool: PairIndex
    lists: PairIndex
    full: Grades
    judged: NDArray[np.intp]
    standing: Standing
    places: dict[object, Any] = field(default_factory=dict)
    compared: dict[object, Any] = field(default_factory=dict)

    @property
    def highest(self) -> int:
        return self.inputs.scale.high

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pair of each number."""
        return [
            (query_id, passage_id)
            for query_id, known in zip(self.index.topics, self.index.numbers, strict=True)
            for passage_id in known
        ]

    def on_pairs(self, qrels: Mapping[str, Mapping[str, int]]) -> Grades:
        """The grades of a model on the pairs of the reference (n + 2), UNJUDGED where it has none of the scale."""
        scale = self.inputs.scale
        own = {
            query_id: {name: grade for name, grade in qrels.get(query_id, {}).items() if name in known}
            for query_id, known in zip(self.index.topics, self.index.numbers, strict=True)
        }
        return pair_index.grades(self.index, _on_scale(own, scale.grades), highest=self.highest)

    def measure_of(self, filler: Filler) -> tuple[PairIndex, Measure]:
        """Where and by what the systems are ranked with this filler."""
        if filler.kind == fillers.BPREF:
            return self.lists, BPREF
        if filler.kind == fillers.CONDENSED:
            gain = self.plan.gain
            return self.lists, registry.parse(f"nDCG(gain={gain},unjudged=condensed)@{CUTOFF}")
        return self.index, self.plan.measure


def of(plan: Plan, inputs: Inputs) -> Ground:
    """Made once for all parts of a study. Raises PlanRefused where there is nothing to study."""
    if plan not in inputs.made:
        inputs.made[plan] = _made(plan, inputs)
    found: Ground = inputs.made[plan]
    return found


def _made(plan: Plan, inputs: Inputs) -> Ground:
    rankings = _chosen(inputs.rankings, plan.systems)
    qrels = {query_id: dict(sorted(inputs.qrels[query_id].items())) for query_id in sorted(inputs.qrels)}
    lists = pair_index.build(rankings, [qrels])
    full = pair_index.grades(lists, qrels, highest=inputs.scale.high)
    judged = np.flatnonzero(full >= 0)
    if not len(judged):
        raise PlanRefused("the reference has no grade that could be taken away")
    index = replace(lists, at_ranks=grade_matrix.cut(lists.at_ranks, CUTOFF))
    return Ground(
        plan=plan,
        inputs=inputs,
        index=index,
        pool=replace(lists, at_ranks=grade_matrix.cut(lists.at_ranks, plan.needed_depth)),
        lists=replace(lists, at_ranks=_numbered_only(lists.at_ranks, len(lists))),
        full=full,
        judged=judged,
        standing=systems.standing(index, full, plan.measure, inputs.scale.high, plan.level),
    )


def _chosen(rankings: RunIndex, tags: Sequence[str]) -> RunIndex:
    """The systems of the plan, by their tags."""
    for tag, times in Counter(rankings.run_tags).items():
        if times > 1:
            raise PlanRefused(f"{times} runs have the tag {tag!r}: they could not be told apart")
    places = {tag: place for place, tag in enumerate(rankings.run_tags)}
    for tag in tags:
        if tag not in places:
            raise PlanRefused(f"no run has the tag {tag!r}")
    chosen = tuple(sorted(tags or places))
    return replace(rankings, run_tags=chosen, at_ranks=rankings.at_ranks[[places[tag] for tag in chosen]])


def _numbered_only(at_ranks: Numbers, pairs: int) -> Numbers:
    """The ranks without the passages of which the reference says nothing: bpref and condensed lists pass over them."""
    is_other = at_ranks == pairs
    order = np.argsort(is_other, axis=-1, kind="stable")
    moved = np.take_along_axis(np.where(is_other, np.int32(pairs + 1), at_ranks), order, axis=-1)
    return moved[..., : (~is_other & (at_ranks < pairs)).sum(axis=-1).max(initial=0)]


def _on_scale(qrels: Qrels, grades: range) -> Qrels:
    return {
        query_id: {name: grade for name, grade in given.items() if grade in grades} for query_id, given in qrels.items()
    }

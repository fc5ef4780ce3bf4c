"""What a hole study is made from, as values, and in the forms that its trials read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotate.formats.records import Qrels
from annotate.formats.runs import Run
from annotate.formats.scale import GradeScale
from evaluation.engine import run_index
from evaluation.engine.run_index import RunIndex
from evaluation.studies.kinds.holes.design.plan import Plan


@dataclass(frozen=True, eq=False)
class Texts:
    """What a judge reads: of topics by query id the query and its backstory (empty without one), and passages."""

    topics: Mapping[str, tuple[str, str]]
    passages: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Inputs:
    """`rankings` are as deep as `Plan.needed_depth`, each tag once; below are the graded passages of all ranks, where
    `Plan.needs_lists`. `qrels` are the reference's grades.

    Of fillers by their text: `models` has grades, `opinions` what models that are calibrated say of pairs, a grade or
    how likely each grade of the scale is, `texts` what judges read. `groups` has the group of a run tag.
    `own_judges` are the fillers with grades of judges that the reference's grades have taught before the study.
    `made` keeps what was made of them, by plan, for as long as they are there.
    """

    rankings: RunIndex
    qrels: Qrels
    scale: GradeScale = field(default_factory=GradeScale)
    models: Mapping[str, Qrels] = field(default_factory=dict)
    opinions: Mapping[str, Mapping[tuple[str, str], int | Sequence[float]]] = field(default_factory=dict)
    texts: Mapping[str, Texts] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    own_judges: Sequence[str] = ()
    made: dict[object, Any] = field(default_factory=dict, init=False, repr=False)


def ranked(runs: Iterable[Run], plan: Plan, qrels: Qrels) -> RunIndex:
    """What a study needs of runs; they have all ranks where `Plan.needs_lists`."""
    return run_index.build(runs, plan.needed_depth, beyond=qrels if plan.needs_lists else None)

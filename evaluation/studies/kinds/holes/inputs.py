"""What a hole study is made from, as values, and as its trials read them: pairs by number, systems by tag."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotate.formats import texts
from annotate.formats.records import GradeScale, Qrels
from annotate.formats.runs import Run
from evaluation.engine import grade_files, pair_index, run_index
from evaluation.measures import grade_matrix, registry
from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds.holes import plan, systems
from evaluation.studies.kinds.holes import plan as holes_plan
from evaluation.studies.kinds.holes.plan import CUTOFF, Filler, Plan


@dataclass(frozen=True, eq=False)
class Texts:
    """What a judge reads: of topics by query id the query and its backstory (empty without one), and passages."""

    topics: Mapping[str, tuple[str, str]]
    passages: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Inputs:
    """`rankings` are as deep as `Plan.needed_depth`, each tag once; below are the graded passages of all ranks, where
    `Plan.needs_lists`. `qrels` are the reference's grades.

    Of fillers by their text: `models` has grades, `model_labels` what models that are calibrated gave pairs, a grade or
    how likely each grade of the scale is, `texts` what judges read. `groups` has the group of a run tag.
    `own_judges` are the fillers with grades of judges that the reference's grades have taught before the study.
    `made` keeps what was made of them, by plan, for as long as they are there.
    """

    rankings: run_index.RunIndex
    qrels: Qrels
    scale: GradeScale = field(default_factory=GradeScale)
    models: Mapping[str, Qrels] = field(default_factory=dict)
    model_labels: Mapping[str, Mapping[tuple[str, str], int | Sequence[float]]] = field(default_factory=dict)
    texts: Mapping[str, Texts] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    own_judges: Sequence[str] = ()
    made: dict[Plan, "Prepared"] = field(default_factory=dict, init=False, repr=False)


def index_runs(runs: Iterable[Run], plan: Plan, qrels: Qrels) -> run_index.RunIndex:
    """What a study needs of runs; they have all ranks where `Plan.needs_lists`."""
    return run_index.build(runs, plan.needed_depth, beyond=qrels if plan.needs_lists else None)


Flags = NDArray[np.bool_]
BPREF = registry.parse("bpref")


@dataclass(frozen=True, eq=False)
class Prepared:
    """Pairs are numbered by topic and passage, whatever the order of the inputs; systems stand by their tags.

    `index` has the first ranks, of which nDCG is made, `pool` as many as the plan needs, `lists` the passages that the
    reference knows of, at all ranks that were given. `full` (n + 2) are the grades of the reference by pair number;
    `judged` are the numbers of pairs with a grade. `full_ranking` is that of the systems with all grades. `places` and
    `compared` keep what trials share: the order in which pairs go, and texts compared with one another.
    """

    plan: Plan
    inputs: Inputs
    index: pair_index.PairIndex
    pool: pair_index.PairIndex
    lists: pair_index.PairIndex
    full: grade_matrix.Grades
    judged: NDArray[np.intp]
    full_ranking: systems.SystemRanking
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

    def on_pairs(self, qrels: Mapping[str, Mapping[str, int]]) -> grade_matrix.Grades:
        """The grades of a model on the pairs of the reference (n + 2), UNJUDGED where it has none of the scale."""
        scale = self.inputs.scale
        own = {
            query_id: {name: each for name, each in qrels.get(query_id, {}).items() if name in known and each in scale}
            for query_id, known in zip(self.index.topics, self.index.numbers, strict=True)
        }
        return pair_index.grades(self.index, own, highest=self.highest)

    def measure_of(self, filler: Filler) -> tuple[pair_index.PairIndex, registry.Measure]:
        """Where and by what the systems are ranked with this filler."""
        if filler.kind == holes_plan.BPREF:
            return self.lists, BPREF
        if filler.kind == holes_plan.CONDENSED:
            gain = self.plan.gain
            return self.lists, registry.parse(f"nDCG(gain={gain},unjudged=condensed)@{CUTOFF}")
        return self.index, self.plan.measure


def prepare_inputs(plan: Plan, inputs: Inputs) -> Prepared:
    """Made once for all parts of a study. Raises PlanRefused where there is nothing to study."""
    if plan not in inputs.made:
        inputs.made[plan] = _prepare(plan, inputs)
    return inputs.made[plan]


def _prepare(plan: Plan, inputs: Inputs) -> Prepared:
    rankings = _choose_systems(inputs.rankings, plan.systems)
    qrels = {query_id: dict(sorted(inputs.qrels[query_id].items())) for query_id in sorted(inputs.qrels)}
    lists = pair_index.build(rankings, [qrels])
    full = pair_index.grades(lists, qrels, highest=inputs.scale.high)
    judged = np.flatnonzero(full >= 0)
    if not len(judged):
        raise PlanRefused("the reference has no grade that could be taken away")
    index = replace(lists, at_ranks=grade_matrix.cut(lists.at_ranks, CUTOFF))
    return Prepared(
        plan=plan,
        inputs=inputs,
        index=index,
        pool=replace(lists, at_ranks=grade_matrix.cut(lists.at_ranks, plan.needed_depth)),
        lists=replace(lists, at_ranks=_numbered_only(lists.at_ranks, len(lists))),
        full=full,
        judged=judged,
        full_ranking=systems.rank_systems(index, full, plan.measure, inputs.scale.high, plan.level),
    )


def _choose_systems(rankings: run_index.RunIndex, tags: Sequence[str]) -> run_index.RunIndex:
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


def _numbered_only(at_ranks: run_index.Numbers, pairs: int) -> run_index.Numbers:
    """The ranks without the passages of which the reference says nothing: bpref and condensed lists pass over them."""
    is_other = at_ranks == pairs
    order = np.argsort(is_other, axis=-1, kind="stable")
    moved = np.take_along_axis(np.where(is_other, np.int32(pairs + 1), at_ranks), order, axis=-1)
    return moved[..., : (~is_other & (at_ranks < pairs)).sum(axis=-1).max(initial=0)]


_FILES = {plan.MODEL: ("F",), plan.LEARNED: ("PASSAGES", "TOPICS"), plan.CALIBRATED: ("F", "PASSAGES", "TOPICS")}


def read_grades(asked: list[Filler], scale: GradeScale, kind: str) -> dict[str, Qrels]:
    """The grades of the models of fillers of this kind, by the text of the filler; each file is read once. Raises
    FileRefused, PlanRefused for too few or many files."""
    named = {filler.text: _files(filler)[0] for filler in asked if filler.kind == kind}
    read = {file: grade_files.read_grades(file, scale).qrels for file in sorted(set(named.values()))}
    return {text: read[file] for text, file in named.items()}


def read_texts(asked: list[Filler]) -> dict[str, Texts]:
    """What judges read, by the text of the filler; files that several name are read once."""
    named = [(filler.text, _files(filler)[-2:]) for filler in asked if filler.is_fitted]
    read = {files: _texts(*files) for files in {files for _, files in named}}
    return {text: read[files] for text, files in named}


def _files(filler: Filler) -> tuple[str, ...]:
    wanted = _FILES[filler.kind]
    # The name of a model's file may hold commas: a lone file is taken as it is.
    files = (filler.name,) if len(wanted) == 1 else tuple(filler.name.split(","))
    if len(files) != len(wanted) or not all(files):
        raise PlanRefused(f"{filler.text} should be {filler.kind}:{','.join(wanted)}")
    return files


def _texts(of_passages: str, of_topics: str) -> Texts:
    return Texts(
        topics={topic.query_id: (topic.text, topic.backstory) for topic in texts.read_topics(of_topics)},
        passages={
            passage.passage_id: f"{passage.title}\n{passage.text}" if passage.title else passage.text
            for passage in texts.read_passages(of_passages)
        },
    )

"""What a profile study is made from, as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotate.formats.records import Qrels, Variant
from annotate.formats.runs import Run
from evaluation.measures.grade_matrix import GradeProbabilities


@dataclass(frozen=True, eq=False)
class Inputs:
    """`runs` rank query variants, whose ids are theirs; those with one tag are one system. `seed_runs` rank the
    topics' own queries, under the same tags; they may be missing.

    `methods`: of a profile, how its variants came about (persona, group, textual change); profiles without one are
    `other`. `before` and `after` hold grades by topic; `after` is None if nothing was filled. Pairs in the
    probabilities of either count by those of the grades from 0 up, and are not among its grades. `highest` is the top
    grade of the scale.
    """

    runs: Sequence[Run]
    variants: Sequence[Variant]
    before: Qrels
    after: Qrels | None = None
    before_probabilities: Mapping[str, GradeProbabilities] = field(default_factory=dict)
    after_probabilities: Mapping[str, GradeProbabilities] = field(default_factory=dict)
    seed_runs: Sequence[Run] = ()
    methods: Mapping[str, str] = field(default_factory=dict)
    highest: int = 3

"""The plan of a profile study, and its inputs as they were frozen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from annotate.formats.records import Qrels, Variant
from annotate.formats.runs import Run
from annotate.rules import completion
from evaluation.measures.grade_matrix import GradeProbabilities
from evaluation.studies.design import ResamplingPlan, Texts


class Plan(ResamplingPlan):
    """`before` and `after` are the grades by which systems are scored, as rules of completed qrels (the command has
    names of files): the sparse ones, and those whose holes were filled; without `after` only the first are looked at.
    `is_by_chances`: a model's grades count by their probabilities, where it gave them and the measure can.

    `systems` are run tags, none for all that ranked variants of every profile. `variants_as`: see `anova.three_way`.
    """

    before: str = Field(default=str(completion.Rule()), title="Grades before holes are filled")
    after: str = Field(
        default="", title="Grades after they are filled", description="Missing grades are counted under both."
    )
    is_by_chances: bool = Field(
        default=True,
        title="Grades of models count by their probabilities",
        description="Where a model gave them and the measure can; unticked, each counts as the grade it is.",
    )
    systems: Texts = ()
    variants_as: Literal["averaged", "replicates"] = Field(
        default="averaged", title="The variants of a topic by one profile"
    )


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

"""What is wanted of a profile study."""

from typing import Literal

from pydantic import Field

from annotate.rules import completion
from evaluation.studies.design.plan import ResamplingPlan, Texts


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

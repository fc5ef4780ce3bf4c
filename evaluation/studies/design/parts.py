"""How a study is computed: in parts, each of them alone, and what all of them come to."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

Json = dict[str, Any]
P = TypeVar("P")
I = TypeVar("I")  # noqa: E741
P_contra = TypeVar("P_contra", contravariant=True)
I_contra = TypeVar("I_contra", contravariant=True)


class Parts(Protocol[P_contra, I_contra]):
    """What the module `parts` of a kind can do with a plan and the inputs that were frozen."""

    def list_parts(self, plan: P_contra, inputs: I_contra) -> list[str]:
        """The names of what can be computed alone. Raises PlanRefused where the inputs do not hold what is asked."""

    def run_part(self, plan: P_contra, inputs: I_contra, name: str) -> Json:
        """What one part found, the same whenever it is computed."""

    def gather(self, plan: P_contra, inputs: I_contra, part_results: Mapping[str, Json]) -> Json:
        """The result, from what all parts found."""


def run_all(parts: Parts[P, I], plan: P, inputs: I) -> Json:
    """The result, computed here and now, part by part."""
    part_results = {name: parts.run_part(plan, inputs, name) for name in parts.list_parts(plan, inputs)}
    return parts.gather(plan, inputs, part_results)

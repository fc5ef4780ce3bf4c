"""Which grades a study takes away."""

from typing import NamedTuple

from annotate.formats import quoting
from evaluation.studies.design.plan_fields import PlanRefused

RELEVANT, ALL, PER_TOPIC, UNEVEN = "relevant", "all", "per-topic", "uneven"
LEAVE_SYSTEM_OUT, LEAVE_GROUP_OUT, DEPTH = "leave-system-out", "leave-group-out", "depth"
# Patterns of which a fraction is taken, with what they take.
OF_FRACTIONS = {
    RELEVANT: "a share of each grade above the lowest, over all topics",
    ALL: "a share of each grade, over all topics",
    PER_TOPIC: "a share of the grades of each topic",
    UNEVEN: "a share of all grades, unevenly: some topics lose nearly all, others nearly none",
}
LEAVE_OUT = {
    LEAVE_SYSTEM_OUT: "what one system alone brought into the pool",
    LEAVE_GROUP_OUT: "what one group of systems alone brought into the pool",
}
_MOST_DEPTH = 1000


class Pattern(NamedTuple):
    """`text` is how it is written, such as `relevant` or `depth:5`; `depth` is that of the pool that `depth:` keeps."""

    text: str
    kind: str
    depth: int = 0

    @property
    def has_fractions(self) -> bool:
        return self.kind in OF_FRACTIONS

    @property
    def leaves_out(self) -> bool:
        """Whether each trial leaves one system or group out."""
        return self.kind in LEAVE_OUT

    @property
    def words(self) -> str:
        """What it takes away."""
        if self.kind == DEPTH:
            return f"what no system has among its first {self.depth}"
        return (OF_FRACTIONS | LEAVE_OUT)[self.kind]


def parse(text: str) -> Pattern:
    """The pattern that a text names. Raises PlanRefused.

    >>> parse("depth:5").depth, parse("relevant").has_fractions
    (5, True)
    """
    kind, _, depth = text.partition(":")
    if kind == DEPTH and depth.isascii() and depth.isdigit() and 1 <= int(depth[:5]) <= _MOST_DEPTH:
        return Pattern(f"{DEPTH}:{int(depth)}", DEPTH, int(depth))
    if text in OF_FRACTIONS or text in LEAVE_OUT:
        return Pattern(text, text)
    known = ", ".join([*OF_FRACTIONS, *LEAVE_OUT, f"{DEPTH}:K with K from 1 to {_MOST_DEPTH}"])
    raise PlanRefused(f"holes {quoting.short(text)} are not known; known are {known}")

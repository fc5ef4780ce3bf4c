"""Which grade counts: what a stored one means for its pair, people's consensus, and the sources of completed qrels.

A rule of completion is a list of sources, strongest first, for instance `reference,adjudicated,people,model:learned-1`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.formats import faults

POOLED_UNJUDGED = -1  # a hole; other negative grades (-2 junk) are none and have gain 0
MAJORITY = "MAJORITY"
MEDIAN = "MEDIAN"
MAXIMUM = "MAXIMUM"
UNANIMOUS = "UNANIMOUS"
ADJUDICATED_ONLY = "ADJUDICATED"
CONSENSUS_RULES = (MAJORITY, MEDIAN, MAXIMUM, UNANIMOUS, ADJUDICATED_ONLY)
REFERENCE = "reference"
ORIGINAL = "original"
ADJUDICATED = "adjudicated"
PEOPLE = "people"
MODEL = "model:"


def closes_hole(grade: int) -> bool:
    """Whether a reference grade settles its pair, so that nobody is asked to judge it."""
    return grade != POOLED_UNJUDGED


def is_judged(grade: int) -> bool:
    """Whether a grade says how relevant a passage is. Negative ones do not."""
    return grade >= 0


def find_consensus(rule: str, grades: Sequence[int]) -> int | None:
    """The grade that the rule gives, or None where it gives none: the pair is unresolved and stays a hole.

    MAJORITY is strict (more than half); MEDIAN takes the lower of the two middle ones; UNANIMOUS wants all equal;
    ADJUDICATED takes no grade but an adjudicator's, whatever people say.
    """
    if rule not in CONSENSUS_RULES:
        raise ValueError(f"no such consensus rule: {rule}")
    if not grades or rule == ADJUDICATED_ONLY:
        return None
    if rule == MAJORITY:
        grade, count = Counter(grades).most_common(1)[0]
        return grade if 2 * count > len(grades) else None
    if rule == MEDIAN:
        return sorted(grades)[(len(grades) - 1) // 2]
    if rule == MAXIMUM:
        return max(grades)
    return grades[0] if len(set(grades)) == 1 else None


class UnknownRule(ValueError):
    """The text of a rule cannot be understood; the message says what can."""


@dataclass(frozen=True)
class Rule:
    """`sources`, strongest first: `reference` (grades of the reference rater that were not dropped), `original`
    (all of its grades, the dropped ones too), `adjudicated` (decisions), `people` (consensus), `model:NAME`.
    `consensus_rule` is one of CONSENSUS_RULES."""

    sources: tuple[str, ...] = (REFERENCE, ADJUDICATED, PEOPLE)
    consensus_rule: str = MAJORITY

    def __str__(self) -> str:
        return ",".join(self.sources)

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the model raters that the rule asks."""
        return tuple(source.removeprefix(MODEL) for source in self.sources if source.startswith(MODEL))

    @property
    def decisions_bind_people(self) -> bool:
        """Whether a decision stands above people's consensus: one that nobody can judge a pair then silences it."""
        return PEOPLE in self.sources and self._stands_before(ADJUDICATED, PEOPLE)

    def asks_people_before(self, source: str) -> bool:
        return self._stands_before(PEOPLE, source)

    def _stands_before(self, stronger: str, source: str) -> bool:
        return stronger in self.sources[: self.sources.index(source)]


def parse_rule(text: str, consensus_rule: str = MAJORITY) -> Rule:
    """Read a rule. Names of models may hold anything but a comma. Raises UnknownRule, naming the part."""
    sources = tuple(part.strip() for part in text.split(","))
    for source in sources:
        is_model = source.startswith(MODEL) and source != MODEL
        if source not in (REFERENCE, ORIGINAL, ADJUDICATED, PEOPLE) and not is_model:
            sources_there_are = "reference, original, adjudicated, people or model:NAME"
            raise UnknownRule(f"{faults.quoted(source)} is not a source; use {sources_there_are}")
    if len(set(sources)) < len(sources):
        raise UnknownRule("a source stands twice in the rule")
    if consensus_rule not in CONSENSUS_RULES:
        raise UnknownRule(
            f"{faults.quoted(consensus_rule)} is not a consensus rule; use one of {', '.join(CONSENSUS_RULES)}"
        )
    return Rule(sources, consensus_rule)


def choose_grade(rule: Rule, grades: Mapping[str, int]) -> tuple[int, str] | None:
    """The grade and its source, from the grades that each source has for one pair; None: the pair stays a hole."""
    for source in rule.sources:
        if source in grades:
            return grades[source], source
    return None

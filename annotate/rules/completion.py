"""How qrels are completed: whose grade a pair gets when several sources have one.

A rule is a list of sources, strongest first, for instance `reference,adjudicated,people,model:learned-1`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from annotate.formats import quoting
from annotate.rules import consensus

REFERENCE = "reference"
ORIGINAL = "original"
ADJUDICATED = "adjudicated"
PEOPLE = "people"
MODEL = "model:"


class UnknownRule(ValueError):
    """The text of a rule cannot be understood; the message says what can."""


@dataclass(frozen=True)
class Rule:
    """`sources`, strongest first: `reference` (grades of the reference rater that were not dropped), `original`
    (all of its grades, the dropped ones too), `adjudicated` (decisions), `people` (consensus), `model:NAME`.
    `consensus_rule` is one of `consensus.RULES`."""

    sources: tuple[str, ...] = (REFERENCE, ADJUDICATED, PEOPLE)
    consensus_rule: str = consensus.MAJORITY

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


def parse(text: str, consensus_rule: str = consensus.MAJORITY) -> Rule:
    """Read a rule. Names of models may hold anything but a comma. Raises UnknownRule, naming the part."""
    sources = tuple(part.strip() for part in text.split(","))
    for source in sources:
        is_model = source.startswith(MODEL) and source != MODEL
        if source not in (REFERENCE, ORIGINAL, ADJUDICATED, PEOPLE) and not is_model:
            sources_there_are = "reference, original, adjudicated, people or model:NAME"
            raise UnknownRule(f"{quoting.short(source)} is not a source; use {sources_there_are}")
    if len(set(sources)) < len(sources):
        raise UnknownRule("a source stands twice in the rule")
    if consensus_rule not in consensus.RULES:
        raise UnknownRule(
            f"{quoting.short(consensus_rule)} is not a consensus rule; use one of {', '.join(consensus.RULES)}"
        )
    return Rule(sources, consensus_rule)


def choose(rule: Rule, grades: Mapping[str, int]) -> tuple[int, str] | None:
    """The grade and its source, from the grades that each source has for one pair; None: the pair stays a hole."""
    for source in rule.sources:
        if source in grades:
            return grades[source], source
    return None

"""Two rules of completed qrels beside one another: does the ranking of systems change?"""

from dataclasses import dataclass
from functools import lru_cache

from annotate.models import Collection
from annotate.rules import completion
from evaluation.engine import ranking_shift
from evaluation.engine.ranking_shift import RankingShift, SystemShift
from evaluation.findings.leaderboard import scores
from evaluation.findings.leaderboard.scores import Leaderboard
from evaluation.inputs import completed, facts
from evaluation.inputs.facts import Stamp
from evaluation.measures import registry
from evaluation.measures.measure import Measure
from evaluation.statistics import pair_counts

FEW = 20
MOST_MOVERS = 5


@dataclass(frozen=True, eq=False)
class Comparison:
    """Both leaderboards are over the topics that both qrels have; the reference is A.

    `only_reference` and `only_other` are topics that one qrels alone has and that are left out. Of `pairs` of systems
    `swapped` stand the other way round.
    """

    measure: str
    reference: Leaderboard
    other: Leaderboard
    shift: RankingShift
    only_reference: tuple[str, ...]
    only_other: tuple[str, ...]
    pairs: int
    swapped: int

    @property
    def is_coarse(self) -> bool:
        """Whether there are so few systems that tau can take only a few values."""
        return 2 <= len(self.shift.systems) < FEW

    @property
    def step(self) -> float:
        """By how much one swapped pair of systems moves tau-a: 2 / pairs. Needs two systems."""
        return 2 / self.pairs

    @property
    def movers(self) -> list[SystemShift]:
        """At most five systems that moved, the farthest first."""
        return self.shift.moved[:MOST_MOVERS]


def compare(
    collection: Collection,
    rule_a: completion.Rule,
    rule_b: completion.Rule,
    measure: str,
    *,
    with_chances: bool = False,
    with_ranges: bool = False,
) -> Comparison:
    """How rule B ranks the collection's runs in comparison with rule A.

    `with_chances` and, of the reference, `with_ranges` as for `scores.leaderboard`; raises as it.
    """
    stamp = facts.stamp(collection, [*rule_a.models, *rule_b.models])
    return _compare(collection, rule_a, rule_b, registry.parse(measure), with_chances, with_ranges, stamp)


@lru_cache(maxsize=64)
def _compare(
    collection: Collection,
    rule_a: completion.Rule,
    rule_b: completion.Rule,
    measure: Measure,
    with_chances: bool,
    with_ranges: bool,
    stamp: Stamp,
) -> Comparison:
    a, b = (completed.complete(collection, rule, with_chances=with_chances, stamp=stamp) for rule in (rule_a, rule_b))
    topics = a.topics & b.topics
    reference = scores.rank(collection, rule_a, a, (measure,), topics, with_ranges=with_ranges)
    other = scores.rank(collection, rule_b, b, (measure,), topics)
    shift = _shift(reference, other)
    counts = pair_counts.of_scores(
        [system.reference_mean for system in shift.systems], [system.other_mean for system in shift.systems]
    )
    return Comparison(
        measure=str(measure),
        reference=reference,
        other=other,
        shift=shift,
        only_reference=tuple(sorted(a.topics - topics)),
        only_other=tuple(sorted(b.topics - topics)),
        pairs=counts.pairs,
        swapped=counts.discordant,
    )


def _shift(reference: Leaderboard, other: Leaderboard) -> RankingShift:
    if not reference.topics:
        return ranking_shift.without_topics()
    first, second = (
        {system.run_tag: system.by_measure[board.measures[0]].mean.number for system in board.systems}
        for board in (reference, other)
    )
    tags = sorted(first)
    return ranking_shift.of_means(
        tags, [first[tag] for tag in tags], [second[tag] for tag in tags], topics=reference.topics
    )

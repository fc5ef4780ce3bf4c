"""Two rules of completed qrels beside one another: does the ranking of systems change?"""

from dataclasses import dataclass
from functools import lru_cache

from annotate.models import Collection
from annotate.rules import completion
from evaluation import ranking_shift
from evaluation.measures import registry
from evaluation.measures.measure import Measure
from evaluation.queries import completed, facts, scores
from evaluation.queries.facts import Stamp
from evaluation.queries.scores import Leaderboard
from evaluation.ranking_shift import RankingShift, SystemShift
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
        moved = [system for system in self.shift.systems if places_up(system)]
        moved.sort(key=lambda system: (-abs(places_up(system)), system.reference_place, system.run_tag))
        return moved[:MOST_MOVERS]


def places_up(system: SystemShift) -> int:
    """How many places a system stands higher in the other ranking; below 0 it fell."""
    return system.reference_place - system.other_place


def compare(collection: Collection, rule_a: completion.Rule, rule_b: completion.Rule, measure: str) -> Comparison:
    """How rule B ranks the collection's runs in comparison with rule A; raises as `scores.leaderboard`."""
    stamp = facts.stamp(collection, [*rule_a.models, *rule_b.models])
    return _compare(collection, rule_a, rule_b, registry.parse(measure), stamp)


@lru_cache(maxsize=64)
def _compare(
    collection: Collection, rule_a: completion.Rule, rule_b: completion.Rule, measure: Measure, _stamp: Stamp
) -> Comparison:
    a, b = completed.complete(collection, rule_a), completed.complete(collection, rule_b)
    topics = a.topics & b.topics
    shift = ranking_shift.compare(
        [run for _, run in scores.tops(collection, [measure])],
        a.qrels,
        b.qrels,
        measure,
        topics=topics,
        highest=collection.highest_grade,
    )
    counts = pair_counts.of_scores(
        [system.reference_mean for system in shift.systems], [system.other_mean for system in shift.systems]
    )
    return Comparison(
        measure=str(measure),
        reference=scores.rank(collection, rule_a, a, (measure,), topics),
        other=scores.rank(collection, rule_b, b, (measure,), topics),
        shift=shift,
        only_reference=tuple(sorted(a.topics - topics)),
        only_other=tuple(sorted(b.topics - topics)),
        pairs=counts.pairs,
        swapped=counts.discordant,
    )

"""Two rules of completed qrels compared: does the ranking of systems change, which differences survive?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from annotate.models import Collection
from annotate.rules import completion
from evaluation.agreement.value import Floats, Value
from evaluation.engine import ranking_shift
from evaluation.engine.ranking_shift import RankingShift, SystemShift
from evaluation.findings.leaderboard import scores
from evaluation.findings.leaderboard.scores import Leaderboard
from evaluation.inputs import facts
from evaluation.inputs.choices import CHANCES
from evaluation.inputs.facts import Fingerprint
from evaluation.measures import registry
from evaluation.measures.measure import Measure
from evaluation.statistics import rank_correlation, score_matrix, system_pairs
from evaluation.statistics.bootstrap import Interval
from evaluation.statistics.system_pairs import SystemPair

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


def compare_rules(
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
    stamp = facts.fingerprint(collection, [*rule_a.models, *rule_b.models])
    return _compare(collection, rule_a, rule_b, registry.parse(measure), with_chances, with_ranges, stamp)


@lru_cache(maxsize=64)
def _compare(
    collection: Collection,
    rule_a: completion.Rule,
    rule_b: completion.Rule,
    measure: Measure,
    with_chances: bool,
    with_ranges: bool,
    stamp: Fingerprint,
) -> Comparison:
    a, b = (facts.complete_qrels(collection, rule, with_chances=with_chances, stamp=stamp) for rule in (rule_a, rule_b))
    topics = a.topics & b.topics
    reference = scores.rank_systems(collection, rule_a, a, (measure,), topics, with_ranges=with_ranges)
    other = scores.rank_systems(collection, rule_b, b, (measure,), topics)
    shift = _shift(reference, other)
    counts = rank_correlation.count_scores(
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


Told = dict[str, object]


def compute_changes(collection: Collection, asked: dict[str, str]) -> Told:
    """For JSON: `correlations` of the two rankings by name (the value, its interval over topics), `classes` (how many
    pairs of each class), how many are `significant_a` and `significant_b`, and the `changed` pairs: all that are not
    of class AA, PA or PD.

    Pairs are tested by Tukey's HSD after a two-way analysis of variance, on the topics that both rules grade.
    """
    rule_a = completion.parse_rule(asked["a"], asked["consensus"])
    rule_b = completion.parse_rule(asked["b"], asked["consensus"])
    with_chances = asked["models"] == CHANCES
    found = compare_rules(collection, rule_a, rule_b, asked["measure"], with_chances=with_chances)
    systems = sorted(system.run_tag for system in found.reference.systems)
    a, b = (make_score_matrix(board, systems) for board in (found.reference, found.other))
    pairs_a, pairs_b = system_pairs.by_tukey(a, systems), system_pairs.by_tukey(b, systems)
    changes = system_pairs.compare_pairs(pairs_a, pairs_b)
    intervals = score_matrix.correlation_intervals(a, b, systems)
    return {
        "correlations": {name: _correlation(getattr(found.shift, name), each) for name, each in intervals.items()},
        "pairs": changes.n,
        "classes": {name: len(pairs) for name, pairs in changes.pairs.items()},
        "significant_a": sum(pair.is_significant for pair in pairs_a),
        "significant_b": sum(pair.is_significant for pair in pairs_b),
        "reason": next((pair.p.reason for pair in (*pairs_a, *pairs_b) if not pair.p.is_defined), ""),
        "changed": _changed(pairs_a, pairs_b),
    }


def _correlation(value: Value, interval: Interval) -> Told:
    """`value_reason` says why there is no value, `reason` why there is no interval."""
    return {**interval.as_json(), "value": value.value, "value_reason": value.reason}


def make_score_matrix(board: Leaderboard, systems: Sequence[str]) -> Floats:
    """The values by the board's first measure, (systems, topics)."""
    by_tag = {system.run_tag: system.by_measure[board.measures[0]].by_topic for system in board.systems}
    rows = [[by_tag[tag][query_id] for query_id in board.topics] for tag in systems]
    return np.array(rows, dtype=np.float64).reshape(len(systems), len(board.topics))


def _changed(pairs_a: Sequence[SystemPair], pairs_b: Sequence[SystemPair]) -> list[Told]:
    """What matters most first: both significant in opposite directions, then by how far the difference moved."""
    told = [
        {
            "first": a.first,
            "second": a.second,
            "class": system_pairs.class_of_pair(a, b),
            "difference_a": a.difference,
            "p_a": a.p.value,
            "difference_b": b.difference,
            "p_b": b.p.value,
        }
        for a, b in zip(pairs_a, pairs_b, strict=True)
        if system_pairs.class_of_pair(a, b) in ("AD", "MA", "MD")
    ]
    return sorted(told, key=lambda pair: (pair["class"], -abs(pair["difference_b"] - pair["difference_a"])))  # type: ignore[operator]

"""Two rules of completed qrels compared: does the ranking of systems change, which differences survive?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self, TypedDict
from urllib.parse import urlencode

import numpy as np

from annotate.models import Collection
from annotate.rules import completion
from evaluation.agreement.value import Floats, Value
from evaluation.engine import ranking_shift
from evaluation.engine.ranking_shift import RankingShift, SystemShift
from evaluation.findings.leaderboard import scores
from evaluation.findings.leaderboard.scores import Leaderboard
from evaluation.inputs import facts
from evaluation.inputs.choices import CHANCES, Question
from evaluation.inputs.facts import Fingerprint
from evaluation.measures import registry
from evaluation.measures.registry import Measure
from evaluation.statistics import rank_correlation, system_pairs
from evaluation.statistics.bootstrap import Interval, IntervalJson
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
    with_probabilities: bool = False,
    with_ranges: bool = False,
) -> Comparison:
    """How rule B ranks the collection's runs in comparison with rule A.

    `with_probabilities` and, of the reference, `with_ranges` as for `scores.leaderboard`; raises as it.
    """
    fingerprint = facts.fingerprint(collection, [*rule_a.models, *rule_b.models])
    return _compare(collection, rule_a, rule_b, registry.parse(measure), with_probabilities, with_ranges, fingerprint)


@lru_cache(maxsize=64)
def _compare(
    collection: Collection,
    rule_a: completion.Rule,
    rule_b: completion.Rule,
    measure: Measure,
    with_probabilities: bool,
    with_ranges: bool,
    fingerprint: Fingerprint,
) -> Comparison:
    a, b = (
        facts.complete_qrels(collection, rule, with_probabilities=with_probabilities, current=fingerprint)
        for rule in (rule_a, rule_b)
    )
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
        return ranking_shift.make_empty_shift()
    tags = sorted(reference.by_tag)
    first, second = ([board.by_tag[tag].mean.number for tag in tags] for board in (reference, other))
    return ranking_shift.compare_means(tags, first, second, topics=reference.topics)


class CorrelationJson(IntervalJson):
    """A correlation of two rankings beside its interval; `value_reason` says why there is no value, `reason` why there
    is no interval."""

    value: float | None
    value_reason: str


ChangedPair = TypedDict(
    "ChangedPair",
    {
        "first": str,
        "second": str,
        "class": str,
        "difference_a": float,
        "p_a": float | None,
        "difference_b": float,
        "p_b": float | None,
    },
)


class Changes(TypedDict):
    """What another rule (b) does to the differences between systems: `correlations` of the two rankings by name,
    `classes` (how many of the `pairs` are of each class), how many are significant under each rule, and the `changed`
    ones, which are all that are not of class AA, PA or PD. `reason` says why pairs were not tested."""

    correlations: dict[str, CorrelationJson]
    pairs: int
    classes: dict[str, int]
    significant_a: int
    significant_b: int
    reason: str
    changed: list[ChangedPair]


class ChangesQuestion(Question[Changes]):
    """Pairs are tested by Tukey's HSD after a two-way analysis of variance, on the topics that both rules grade."""

    kind = "comparison"
    page = "leaderboard"

    @classmethod
    def between(
        cls, rule_a: completion.Rule, rule_b: completion.Rule, measure: str, *, with_probabilities: bool = False
    ) -> Self:
        arguments = {"a": str(rule_a), "b": str(rule_b), "consensus": rule_a.consensus_rule, "measure": measure}
        arguments["models"] = CHANCES if with_probabilities else ""
        models = tuple(sorted({*rule_a.models, *rule_b.models}))
        return cls(tuple(arguments.items()), f"differences between systems under {rule_b}", models)

    @property
    def address(self) -> str:
        names = {"a": "rule", "b": "other"}
        return urlencode({names.get(name, name): value for name, value in self.arguments})

    def compute(self, collection: Collection) -> Changes:
        asked = dict(self.arguments)
        rule_a, rule_b = (completion.parse_rule(asked[name], asked["consensus"]) for name in ("a", "b"))
        with_probabilities = asked["models"] == CHANCES
        return compute_changes(
            compare_rules(collection, rule_a, rule_b, asked["measure"], with_probabilities=with_probabilities)
        )


def compute_changes(found: Comparison) -> Changes:
    systems = sorted(system.run_tag for system in found.reference.systems)
    a, b = (make_score_matrix(board, systems) for board in (found.reference, found.other))
    pairs_a, pairs_b = system_pairs.by_tukey(a, systems), system_pairs.by_tukey(b, systems)
    changes = system_pairs.compare_pairs(pairs_a, pairs_b)
    intervals = system_pairs.correlation_intervals(a, b, systems)
    return Changes(
        correlations={name: _correlation(getattr(found.shift, name), each) for name, each in intervals.items()},
        pairs=changes.n,
        classes={name: len(pairs) for name, pairs in changes.pairs.items()},
        significant_a=sum(pair.is_significant for pair in pairs_a),
        significant_b=sum(pair.is_significant for pair in pairs_b),
        reason=next((pair.p.reason for pair in (*pairs_a, *pairs_b) if not pair.p.is_defined), ""),
        changed=_changed(pairs_a, pairs_b),
    )


def _correlation(value: Value, interval: Interval) -> CorrelationJson:
    return {**interval.as_json(), "value": value.value, "value_reason": value.reason}


def make_score_matrix(board: Leaderboard, systems: Sequence[str]) -> Floats:
    """The values by the board's first measure, (systems, topics)."""
    by_tag = board.by_tag
    rows = [[by_tag[tag].by_topic[query_id] for query_id in board.topics] for tag in systems]
    return np.array(rows, dtype=np.float64).reshape(len(systems), len(board.topics))


def _changed(pairs_a: Sequence[SystemPair], pairs_b: Sequence[SystemPair]) -> list[ChangedPair]:
    """What matters most first: both significant in opposite directions, then by how far the difference moved."""
    changed: list[ChangedPair] = [
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
    return sorted(changed, key=lambda pair: (pair["class"], -abs(pair["difference_b"] - pair["difference_a"])))

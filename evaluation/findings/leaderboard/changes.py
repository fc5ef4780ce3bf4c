"""What another rule does to the differences between systems: intervals of tau, and which significant pairs survive."""

from collections.abc import Sequence

import numpy as np

from annotate.models import Collection
from annotate.rules import completion
from evaluation.agreement.ratios import Floats
from evaluation.agreement.value import Value
from evaluation.findings.leaderboard import comparisons
from evaluation.findings.leaderboard.scores import Leaderboard
from evaluation.inputs.measure_choices import CHANCES
from evaluation.statistics import pair_changes, system_intervals, system_pairs
from evaluation.statistics.bootstrap import Interval
from evaluation.statistics.system_pairs import SystemPair

Told = dict[str, object]


def compute(collection: Collection, asked: dict[str, str]) -> Told:
    """For JSON: `correlations` of the two rankings by name (the value, its interval over topics), `classes` (how many
    pairs of each class), how many are `significant_a` and `significant_b`, and the `changed` pairs: all that are not
    of class AA, PA or PD.

    Pairs are tested by Tukey's HSD after a two-way analysis of variance, on the topics that both rules grade.
    """
    rule_a = completion.parse(asked["a"], asked["consensus"])
    rule_b = completion.parse(asked["b"], asked["consensus"])
    with_chances = asked["models"] == CHANCES
    found = comparisons.compare(collection, rule_a, rule_b, asked["measure"], with_chances=with_chances)
    systems = sorted(system.run_tag for system in found.reference.systems)
    a, b = (score_matrix(board, systems) for board in (found.reference, found.other))
    pairs_a, pairs_b = system_pairs.by_tukey(a, systems), system_pairs.by_tukey(b, systems)
    changes = pair_changes.compare(pairs_a, pairs_b)
    intervals = system_intervals.of_correlations(a, b, systems)
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


def score_matrix(board: Leaderboard, systems: Sequence[str]) -> Floats:
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
            "class": pair_changes.class_of(a, b),
            "difference_a": a.difference,
            "p_a": a.p.value,
            "difference_b": b.difference,
            "p_b": b.p.value,
        }
        for a, b in zip(pairs_a, pairs_b, strict=True)
        if pair_changes.class_of(a, b) in ("AD", "MA", "MD")
    ]
    return sorted(told, key=lambda pair: (pair["class"], -abs(pair["difference_b"] - pair["difference_a"])))  # type: ignore[operator]

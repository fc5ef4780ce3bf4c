"""Whether intervals of rank correlations hold the truth: `python -m benchmarks.correlation_intervals`.

Two kinds of truth. Made: systems whose true means, topics and interplay are normal, under two qrels that differ a
little; the truth is the correlation of the true means. Resampled: the topics at hand are all there are, samples draw
as many from them with replacement, and the truth is the correlation over all of them. Coverage is the share of nominal
95 % intervals that hold the truth: of the delete-d jackknife that Lacuna prints, and beside it of the jackknife that
leaves one topic out, of the percentile bootstrap and of the one reflected at the estimate. Prints and keeps a table.
"""

import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy import special

from benchmarks import report
from evaluation.measures.grade_matrix import Floats
from evaluation.statistics import bootstrap, rank_correlation
from evaluation.statistics.bootstrap import Resampling

LEVEL = 0.95
HOW = Resampling(resamples=300, level=LEVEL)
METHODS = ("delete-d jackknife", "delete-1 jackknife", "reflected bootstrap", "percentile bootstrap")
Correlation = Callable[[Floats, Floats], Floats]
Ends = tuple[float, float]


class Ground(NamedTuple):
    """Scores (topics, systems) under two qrels of a sample, drawn by a generator, and the true means under both."""

    name: str
    systems: int
    topics: int
    draw: Callable[[np.random.Generator], tuple[Floats, Floats, Floats, Floats]]


def made(systems: int, topics: int, spread: float, bias: float, noise: float) -> Ground:
    """`spread` of true means, `bias` of the second qrels by system and its `noise` by topic and system."""

    def draw(random: np.random.Generator) -> tuple[Floats, Floats, Floats, Floats]:
        first = random.normal(0.5, spread, systems)
        second = first + random.normal(0, bias, systems)
        shared = random.normal(0, 0.2, (topics, 1)) + random.normal(0, 0.15, (topics, systems))
        return first + shared, second + shared + random.normal(0, noise, (topics, systems)), first, second

    return Ground(f"made, spread {spread}, bias {bias}, noise {noise}", systems, topics, draw)


def resampled(name: str, first: Floats, second: Floats) -> Ground:
    def draw(random: np.random.Generator) -> tuple[Floats, Floats, Floats, Floats]:
        chosen = random.integers(0, len(first), len(first))
        return first[chosen], second[chosen], first.mean(axis=0), second.mean(axis=0)

    return Ground(name, first.shape[1], len(first), draw)


def grounds() -> Iterator[Ground]:
    for systems, topics, spread, bias, noise in (
        (63, 53, 0.1, 0.02, 0.08),
        (63, 53, 0.06, 0.01, 0.05),
        (37, 43, 0.1, 0.03, 0.1),
        (10, 43, 0.1, 0.02, 0.08),
        (63, 25, 0.1, 0.02, 0.08),
    ):
        ground = made(systems, topics, spread, bias, noise)
        yield ground
        first, second, *_ = ground.draw(np.random.default_rng(5))
        yield resampled(f"resampled from one of these: {spread}, {bias}, {noise}", first, second)


def intervals(first: Floats, second: Floats, correlation: Correlation) -> dict[str, Ends]:
    """By method, of the scores of one sample."""
    topics = len(first)

    def of(weights: Floats) -> Floats:
        shares = weights / weights.sum(axis=1, keepdims=True)
        return correlation(shares @ first, shares @ second)

    estimate = float(of(np.ones((1, topics)))[0])
    kept = bootstrap.jackknife(estimate, of(bootstrap.subsets(topics, HOW).astype(float)), topics, HOW, (-1.0, 1.0))
    assert kept.low is not None and kept.high is not None
    one_out = of(1 - np.eye(topics))
    reach = float(special.stdtrit(topics - 1, (1 + LEVEL) / 2)) * np.sqrt((topics - 1) * one_out.var())
    drawn = of(bootstrap.draws(np.ones(topics, np.int64), HOW).astype(float))
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
    ends = ((kept.low, kept.high), (estimate - reach, estimate + reach), (2 * estimate - high, 2 * estimate - low))
    return dict(zip(METHODS, (*ends, (low, high)), strict=True))


def coverage(
    ground: Ground, correlation: Correlation, repetitions: int, seed: int = 0
) -> dict[str, tuple[float, float]]:
    """By method, the share of intervals that hold the truth, and their mean width within [-1, 1]."""
    random = np.random.default_rng(seed)
    found: dict[str, list[tuple[bool, float]]] = {method: [] for method in METHODS}
    for _ in range(repetitions):
        first, second, *means = ground.draw(random)
        truth = float(correlation(*(each[np.newaxis] for each in means))[0])
        for method, (low, high) in intervals(first, second, correlation).items():
            found[method].append((low <= truth <= high, min(1.0, high) - max(-1.0, low)))
    return {method: tuple(np.mean(rows, axis=0).tolist()) for method, rows in found.items()}


def correlations(systems: int) -> dict[str, Correlation]:
    names = [f"s{number:03}" for number in range(systems)]
    return {
        "tau-b": rank_correlation.tau_bs,
        "tau-AP": lambda first, second: rank_correlation.tau_aps(first, second, names),
        "Spearman": rank_correlation.spearmans,
    }


def main(repetitions: int) -> None:
    lines = [f"| truth | systems, topics | | {' | '.join(METHODS)} |", "|---|---|---|" + "---|" * len(METHODS)]
    for ground in grounds():
        for name, correlation in correlations(ground.systems).items():
            found = coverage(ground, correlation, repetitions)
            cells = " | ".join(f"{share:.3f} (width {width:.3f})" for share, width in found.values())
            lines.append(f"| {ground.name} | {ground.systems}, {ground.topics} | {name} | {cells} |")
            print(lines[-1], flush=True)
    about = (
        f"`python -m benchmarks.correlation_intervals {repetitions}`: share of nominal 95 % intervals that hold the "
        f"truth, of {repetitions} samples each. The first column is what Lacuna prints.\n\n"
    )
    machine = report.machine(["numpy", "scipy"])
    report.write_section("Intervals of rank correlations", about + "\n".join(lines) + "\n\n" + machine)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)

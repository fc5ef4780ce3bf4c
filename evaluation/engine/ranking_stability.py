"""How stable a ranking of systems is against what is still open: a model-based figure.

Open pairs get grades drawn from a judge's probabilities, each by itself, again and again, and systems are ranked anew.
It says what the judge believes, not what people would say: a judge that errs in one direction makes it too sure.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.formats.records import Qrels
from evaluation.engine import pair_index, scoring
from evaluation.engine.pair_index import PairIndex, Pairs
from evaluation.engine.run_index import RunIndex
from evaluation.measures import registry
from evaluation.measures.grade_matrix import Floats, Grades
from evaluation.statistics import many_rankings

MEASURE = registry.parse("nDCG@10")
_CELLS_AT_ONCE = 1 << 20
Pair = tuple[str, str]
PairProbabilities = Mapping[Pair, Sequence[float]]


@dataclass(frozen=True, eq=False)
class Stability:
    """s systems in their order of today, which counts open pairs as not relevant, the best first.

    `means_drawn` (s) are over the draws. `kept` (s - 1): the share of draws in which a system is
    still strictly before the next one, None where the two are level today. `taus`: tau-b of each draw's ranking with
    today's, NaN where one of them is level throughout.
    """

    run_tags: tuple[str, ...]
    means_drawn: tuple[float, ...]
    kept: tuple[float | None, ...]
    taus: Floats


def of_draws(
    rankings: RunIndex,
    known: Qrels,
    probabilities: PairProbabilities,
    *,
    topics: Sequence[str],
    draws: int,
    seed: int,
    highest: int = 3,
) -> Stability:
    """`probabilities`: of open pairs, those of the grades from 0 up; what `known` grades stays. Two systems at least,
    one topic at least. The draw of a pair depends on the seed and on the pairs that are open."""
    open_pairs = {pair: one for pair, one in sorted(probabilities.items()) if pair[0] in set(topics)}
    index = pair_index.build(rankings, [known, _by_topic(open_pairs)], topics=topics, depth=MEASURE.depth)
    today = pair_index.grades(index, known, highest=highest)
    vectors = itertools.chain([today[np.newaxis]], _drawn(index, today, open_pairs, draws, np.random.default_rng(seed)))
    means = np.concatenate([scoring.sweep_means(index, few, MEASURE, highest=highest) for few in vectors])
    order = sorted(range(len(index.run_tags)), key=lambda place: (-means[0, place], index.run_tags[place]))
    ranked = means[:, order]
    ahead = ranked[:, :-1] > ranked[:, 1:]
    return Stability(
        run_tags=tuple(index.run_tags[place] for place in order),
        means_drawn=tuple(ranked[1:].mean(axis=0).tolist()),
        kept=tuple(
            float(share) if is_ahead else None
            for share, is_ahead in zip(ahead[1:].mean(axis=0), ahead[0].tolist(), strict=True)
        ),
        taus=many_rankings.tau_bs(np.repeat(ranked[:1], draws, axis=0), ranked[1:]),
    )


def _drawn(
    index: PairIndex, today: Grades, probabilities: PairProbabilities, draws: int, random: np.random.Generator
) -> Iterator[Grades]:
    """The grade vectors (draw, n + 2) with a grade for each open pair, a few at once, so that memory stays small."""
    numbers = dict(zip(index.topics, index.numbers, strict=True))
    places = [numbers[query_id][name] for query_id, name in probabilities]
    upto = np.cumsum(np.array([*probabilities.values()] or [[1.0]], dtype=np.float64), axis=1)
    step = max(_CELLS_AT_ONCE // len(today), 1)
    for start in range(0, draws, step):
        drawn = np.repeat(today[np.newaxis], min(step, draws - start), axis=0)
        if places:
            # Probabilities add up to 1 but for rounding: the last grade takes what is left.
            points = random.random((len(drawn), len(places), 1)) * upto[:, -1:]
            drawn[:, places] = (points >= upto[:, :-1]).sum(axis=-1)
        yield drawn


def _by_topic(pairs: PairProbabilities) -> Pairs:
    by_topic: dict[str, dict[str, object]] = {}
    for query_id, name in pairs:
        by_topic.setdefault(query_id, {})[name] = None
    return by_topic

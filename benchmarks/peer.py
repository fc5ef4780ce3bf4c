"""pytrec_eval as its users call it: the peer that the evaluation engine is compared with."""

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytrec_eval

from annotate.formats.records import Qrels

_MEASURE = "ndcg_cut_10"
ByTopic = dict[str, float]
Scores = dict[str, dict[str, float]]


class Loop(NamedTuple):
    """Values by qrels, run and topic, and the least seconds that evaluating all runs once took, without parsing."""

    values: list[list[ByTopic]]
    seconds_a_trial: float


def evaluator(qrels_path: Path) -> pytrec_eval.RelevanceEvaluator:
    """What holds the grades of a file."""
    with open(qrels_path) as stream:
        return pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(stream), {_MEASURE})


def first_evaluation(grades: pytrec_eval.RelevanceEvaluator, path: Path) -> ByTopic:
    """nDCG@10 of a run by topic, from its file."""
    return _values(grades, _parsed(path))


def loop(several_qrels: Sequence[Qrels], paths: Iterable[Path]) -> Loop:
    """nDCG@10 of each run under each of the qrels; a run is in memory when the clock starts."""
    evaluators = [pytrec_eval.RelevanceEvaluator(qrels, {_MEASURE}) for qrels in several_qrels]
    by_run = []
    seconds = 0.0
    for path in paths:
        run = _parsed(path)
        timed = [_timed(evaluator, run) for evaluator in evaluators]
        by_run.append([values for values, _ in timed])
        seconds += min(taken for _, taken in timed)
    return Loop([list(values) for values in zip(*by_run, strict=True)], seconds)


def _timed(evaluator: pytrec_eval.RelevanceEvaluator, run: Scores) -> tuple[ByTopic, float]:
    start = time.perf_counter()
    values = _values(evaluator, run)
    return values, time.perf_counter() - start


def _parsed(path: Path) -> Scores:
    with open(path) as stream:
        run: Scores = pytrec_eval.parse_run(stream)
    return run


def _values(evaluator: pytrec_eval.RelevanceEvaluator, run: Scores) -> ByTopic:
    return {query_id: result[_MEASURE] for query_id, result in evaluator.evaluate(run).items()}

"""How fast the evaluation engine is, beside pytrec_eval: `make bench-evaluation` writes it to docs/benchmarks.md."""

import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from annotate.formats import qrels, run_store, runs
from annotate.formats.records import Qrels
from benchmarks import generated, hole_sweep, peer, report
from benchmarks.peer import ByTopic
from benchmarks.report import Row
from evaluation.agreement.value import Value
from evaluation.engine import pair_index, run_index
from evaluation.engine import scoring as engine_scoring
from evaluation.engine.pair_index import PairIndex
from evaluation.measures.grade_matrix import Floats
from evaluation.statistics import agreement_intervals, rank_correlation
from evaluation.statistics.bootstrap import Resampling

_QRELS = Path(__file__).resolve().parents[2] / "shared" / "data" / "dl20" / "qrels.txt"
_DEPTH = 10
_PACKAGES = ("numpy", "scipy", "pytrec-eval-terrier")
_TOLERANCE = 1e-12


def main() -> None:
    grades = qrels.collect_qrels(qrels.read_qrels(_QRELS))
    with tempfile.TemporaryDirectory() as folder:
        paths = generated.write_runs(Path(folder), grades)
        rows = [*_first(paths), *_stored(paths, grades), *_correlations(), *_bootstraps()]
    text = f"{_what_runs()}\n{report.table(rows)}\n{report.machine(_PACKAGES)}"
    report.write_section("Evaluation", text)
    print(text)


def _what_runs() -> str:
    return (
        "60 generated systems (`benchmarks/generated.py`), the 54 topics and the qrels of DL20, 1,000 ranks a "
        "topic, nDCG@10. All values that are compared equal pytrec_eval's within 1e-12. Times are the least of "
        "several, on both sides. Written by `make bench-evaluation`.\n"
    )


def _first(paths: Sequence[Path]) -> Iterator[Row]:
    """From files to numbers, the qrels' file among them."""
    theirs, evaluator = report.least(5, lambda: peer.evaluator(_QRELS))
    tops, expected, ours = [], [], 0.0
    for path in paths:
        (reading, top), (evaluating, values) = report.alternately(
            4, partial(runs.read_run, path, depth=_DEPTH), partial(peer.first_evaluation, evaluator, path)
        )
        ours, theirs = ours + reading, theirs + evaluating
        tops.append(top)
        expected.append(values)
    scoring, result = report.least(9, lambda: _numbers(tops))
    _check(result, expected)
    threads, result = report.least(4, lambda: _numbers(list(runs.read_runs(paths, depth=_DEPTH))))
    _check(result, expected)
    yield Row(
        "first evaluation, files to numbers",
        f"{theirs / (ours + scoring):.1f} times faster than pytrec_eval with its parsing, one thread each "
        f"({ours + scoring:.2f} s, {theirs:.2f} s); {theirs / threads:.1f} times with a thread for each core",
        "at least 2 times",
        theirs / (ours + scoring) >= 2,
    )


def _numbers(result: Sequence[runs.Run]) -> list[ByTopic]:
    grades = qrels.collect_qrels(qrels.read_qrels(_QRELS))
    index = pair_index.build(run_index.build(result, _DEPTH), [grades])
    return [dict(zip(index.topics, by_topic, strict=True)) for by_topic in _values(index, grades).tolist()]


def _values(index: PairIndex, grades: Qrels) -> Floats:
    [values] = engine_scoring.sweep_values(index, pair_index.grades(index, grades)[np.newaxis], hole_sweep.NDCG)
    return values


def _stored(paths: Sequence[Path], grades: Qrels) -> Iterator[Row]:
    """From stored runs, and from the stored index of them: what `runs.read_run` is needed for only once."""
    stored = [path.with_suffix(".stored") for path in paths]
    for path, name in zip(paths, stored, strict=True):
        run_store.save_run(runs.read_run(path), name)
    indexing, built = report.least(
        5, lambda: run_index.build((run_store.load_top_ranks(p, _DEPTH) for p in stored), _DEPTH)
    )
    path = paths[0].with_name("all.index")
    run_index.save(built, path, key="")
    taken, means = report.least(50, lambda: _means(_indexed(path, grades), grades))
    index = _indexed(path, grades)
    again, same = report.least(50, lambda: _means(index, grades))
    assert np.array_equal(means, same)
    yield Row(
        "evaluation of 60 systems from the stored index",
        f"{taken * 1e3:.1f} ms from the file of the index and qrels in memory to means, all of it: reading the file, "
        f"looking the pairs up in the qrels, nDCG; {again * 1e3:.1f} ms where the pairs are looked up already. "
        f"Making the index, once for a set of runs, takes {indexing * 1e3:.0f} ms from the stored runs",
        "at most 10 ms",
        taken <= 0.010,
    )
    yield from _sweeps(index, grades, paths, stored)


def _indexed(path: Path, grades: Qrels) -> PairIndex:
    result = run_index.load(path, key="")
    assert result is not None
    return pair_index.build(result, [grades])


def _means(index: PairIndex, grades: Qrels) -> Floats:
    return engine_scoring.sweep_means(index, pair_index.grades(index, grades)[np.newaxis], hole_sweep.NDCG)


def _sweeps(index: PairIndex, grades: Qrels, paths: Sequence[Path], stored: Sequence[Path]) -> Iterator[Row]:
    taken, result = report.least(10, lambda: hole_sweep.run(index, pair_index.grades(index, grades)))
    few = [0, len(result.grades) // 2, len(result.grades) - 1]
    loop = peer.loop([hole_sweep.qrels(index, result.grades[trial]) for trial in few], paths)
    for trial, values in zip(few, loop.values, strict=True):
        assert np.allclose(result.means[trial], [_mean(by_topic) for by_topic in values], rtol=0, atol=_TOLERANCE)
    theirs = loop.seconds_a_trial * len(result.grades)
    rise = hole_sweep.memory(stored, grades)
    yield Row(
        "hole sweep: 9 fractions x 20 trials x 60 systems, tau-b each",
        f"{theirs / taken:,.0f} times faster than a loop over pytrec_eval with runs in memory ({taken:.2f} s; "
        f"{theirs:.0f} s, from {len(few)} trials, without tau); {rise:.0f} MB above the base",
        "at least 1,000 times, at most 150 MB",
        theirs / taken >= 1000 and rise <= 150,
    )


def _mean(by_topic: ByTopic) -> float:
    return sum(by_topic.values()) / len(by_topic)


def _correlations() -> Iterator[Row]:
    random = np.random.default_rng(1)
    first, second = random.integers(0, 4, size=(2, 1_000_000))

    def correlate() -> tuple[Value, Value]:
        counts = rank_correlation.count_labels(first, second)
        return rank_correlation.tau_b(counts), rank_correlation.gamma(counts)

    taken, _ = report.least(30, correlate)
    work = "tau-b and gamma of 1,000,000 label pairs"
    yield Row(work, f"{taken * 1e3:.1f} ms", "at most 20 ms", taken <= 0.020)


def _bootstraps() -> Iterator[Row]:
    random = np.random.default_rng(1)
    first = random.integers(0, 4, size=100_000)
    second = np.clip(first + random.integers(-1, 2, size=100_000), 0, 3)
    topics = np.sort(random.integers(0, 43, size=100_000))
    for over in ("pairs", "topics"):
        how = Resampling(over=over, resamples=1000)
        taken, _ = report.least(
            20, partial(agreement_intervals.alpha_interval, np.stack([first, second]), topics, range(4), "ordinal", how)
        )
        work = f"1,000 bootstraps of ordinal alpha over 100,000 units, drawing {over}"
        yield Row(work, f"{taken * 1e3:.0f} ms", "at most 0.2 s", taken <= 0.2)


def _check(ours: Sequence[ByTopic], theirs: Sequence[ByTopic]) -> None:
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.keys() == other.keys()
        assert all(abs(mine[topic] - other[topic]) <= _TOLERANCE for topic in mine)


if __name__ == "__main__":
    main()

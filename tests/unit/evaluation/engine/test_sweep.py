import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.formats import runs
from evaluation.engine import pair_index, run_index, scoring
from evaluation.measures import registry

MEASURES = [
    registry.parse(text)
    for text in (
        "nDCG@3",
        "nDCG(gain=exp)",
        "nDCG(unjudged=condensed)@2",
        "DCG@3",
        "P(rel=2)@3",
        "R@2",
        "AP(rel=2)",
        "RR",
        "ERR@3",
        "RBP(p=0.8)",
        "bpref",
        "Judged@3",
    )
]
NDCG = registry.parse("nDCG@10")
passage_ids = st.sampled_from("abcdefg")
topics = st.sampled_from(["q1", "q2", "q3"])
rankings = st.dictionaries(passage_ids, st.integers(0, 4).map(float), min_size=1)
systems = st.lists(st.dictionaries(topics, rankings, min_size=1), max_size=3)
several_qrels = st.lists(
    st.dictionaries(topics, st.dictionaries(passage_ids, st.integers(-2, 3))), min_size=1, max_size=4
)


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@settings(max_examples=25)
@given(systems, several_qrels, st.sampled_from([1, 1 << 20]))
def test_a_sweep_gives_what_scoring_each_run_gives(measure, systems, several_qrels, cells):
    found = [runs.build_run(f"t{number}", scores) for number, scores in enumerate(systems)]
    index = pair_index.build(run_index.build(found), several_qrels, topics=["q1", "q2", "q3"])
    vectors = np.stack([pair_index.grades(index, qrels) for qrels in several_qrels])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "_CELLS_AT_ONCE", cells)
        values = [by_system.tolist() for by_system in scoring.sweep_values(index, vectors, measure)]
        means = scoring.sweep_means(index, vectors, measure).tolist()
    for qrels, by_system, mean_by_system in zip(several_qrels, values, means, strict=True):
        expected = [
            scoring.score_run(run, qrels, [measure], topics=["q1", "q2", "q3"]).measures[measure] for run in found
        ]
        assert by_system == [pytest.approx(list(scores.by_topic.values()), abs=1e-12) for scores in expected]
        assert mean_by_system == pytest.approx([scores.mean.number for scores in expected], abs=1e-12)


@pytest.fixture(scope="module")
def study():
    """30 systems, 20 topics, 40 trials in which half of the grades are holes."""
    rng = np.random.default_rng(3)
    topics = [f"q{number}" for number in range(20)]
    systems = [
        runs.build_run(f"t{s}", {topic: {f"d{n}": float(rng.random()) for n in range(60)} for topic in topics})
        for s in range(30)
    ]
    qrels = {topic: {f"d{n}": int(rng.integers(4)) for n in range(100)} for topic in topics}
    index = pair_index.build(run_index.build(systems, 10), [qrels])
    vectors = np.repeat(pair_index.grades(index, qrels)[np.newaxis], 40, axis=0)
    vectors[:, :-1][rng.random((40, len(index) + 1)) < 0.5] = -1
    return systems, qrels, index, vectors


def test_a_sweep_is_no_loop_over_runs(study):
    """A trial takes a hundredth of the time that scoring run by run takes; a loop would take as long."""
    systems, qrels, index, vectors = study
    start = time.process_time()
    for run in systems:
        scoring.score_run(run, qrels, [NDCG])
    one_by_one = time.process_time() - start
    start = time.process_time()
    scoring.sweep_means(index, vectors, NDCG)
    assert (time.process_time() - start) / len(vectors) < one_by_one / 10


def test_memory_does_not_grow_with_the_trials(study):
    *_, index, vectors = study
    many = np.repeat(vectors, 20, axis=0)
    tracemalloc.start()
    means = scoring.sweep_means(index, many, NDCG)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert means.shape == (800, 30)
    assert peak < 60 << 20 < many.shape[0] * index.at_ranks.size * 8 * 2

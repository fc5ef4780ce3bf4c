"""The measures against pytrec_eval and ir_measures, on random small qrels and runs.

pytrec_eval keeps scores in 32 bits, so they are whole numbers here. It crashes or never returns on a topic that has
judgments but none of grade 0 or more, and crashes on a topic whose run is empty: such topics are left out for it.
"""

import shutil

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats import runs
from evaluation.engine import scoring
from evaluation.measures import registry

PASSAGES = ["d1", "d10", "d2", "D2", "é", "z", "0", "00", "日本", "a/b:c"]

grades = st.integers(-2, 3)
qrels = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(st.sampled_from(PASSAGES), grades))
scored = st.dictionaries(st.sampled_from(PASSAGES), st.integers(-3, 3).map(float), min_size=1)
rankings = st.dictionaries(st.sampled_from(["q1", "q2", "q3", "q9"]), scored, min_size=1)

BINARY = {"AP": "map", "AP@3": "map_cut_3", "P@3": "P_3", "R": "set_recall", "R@3": "recall_3", "RR": "recip_rank"}
GRADED = {"nDCG": "ndcg", "nDCG@1": "ndcg_cut_1", "nDCG@3": "ndcg_cut_3"}


def ours(text, run, judged, highest=3):
    measure = registry.parse(text)
    return scoring.score_run(runs.build_run("t", run), judged, [measure], highest=highest).measures[measure]


def theirs(names, run, judged, **choices):
    """The values of pytrec_eval by topic and name, for the topics that it can take."""
    safe = {topic: found for topic, found in judged.items() if topic in run and max(found.values(), default=-1) >= 0}
    return pytrec_eval.RelevanceEvaluator(safe, names, **choices).evaluate(run) if safe else {}


def assert_same(spelled, run, judged, peer_judged=None, **choices):
    """Each of our measures (keys) has pytrec_eval's value under its name there, in every topic."""
    found = theirs(set(spelled.values()), run, peer_judged or judged, **choices)
    for text, name in spelled.items():
        expected = {topic: found.get(topic, {}).get(name, 0.0) for topic in judged}
        assert ours(text, run, judged).by_topic == pytest.approx(expected, abs=1e-12), text


def with_parameter(spelled, parameter):
    return {
        f"{name}({parameter}){at}{k}": peer for text, peer in spelled.items() for name, at, k in [text.partition("@")]
    }


@given(run=rankings, judged=qrels, rel=st.integers(1, 3))
def test_binary_measures_equal_those_of_pytrec_eval(run, judged, rel):
    spelled = with_parameter({**BINARY, "bpref": "bpref"}, f"rel={rel}")
    assert_same(spelled, run, judged, relevance_level=rel)


@given(run=rankings, judged=qrels)
def test_graded_measures_equal_those_of_pytrec_eval(run, judged):
    assert_same(GRADED, run, judged)


@given(run=rankings, judged=qrels, rel=st.integers(1, 3))
def test_condensed_measures_equal_those_of_pytrec_eval(run, judged, rel):
    binary = with_parameter(BINARY, f"rel={rel},unjudged=condensed")
    graded = with_parameter(GRADED, "unjudged=condensed")
    assert_same(binary | graded, run, judged, relevance_level=rel, judged_docs_only_flag=True)


def test_scores_that_differ_beyond_32_bits_are_ties_for_pytrec_eval_alone():
    run, judged = {"q1": {"a": 1.0 + 1e-12, "b": 1.0}}, {"q1": {"a": 1}}
    assert theirs({"recip_rank"}, run, judged) == {"q1": {"recip_rank": 0.5}}
    assert ours("RR", run, judged).by_topic == {"q1": 1.0}


@pytest.mark.parametrize(
    ("parameter", "gains"),
    [
        ("gain=exp", [0, 1, 3, 7]),
        ("gain=0/1/5/10", [0, 1, 5, 10]),
        ("gain=0/0/2/2", [0, 0, 2, 2]),
        ("rel=2", [0, 0, 1, 1]),
    ],
)
@given(run=rankings, judged=qrels)
def test_ndcg_with_other_gains_equals_that_of_pytrec_eval_on_qrels_of_gains(parameter, gains, run, judged):
    mapped = {topic: {name: g if g < 0 else gains[g] for name, g in found.items()} for topic, found in judged.items()}
    assert_same(with_parameter(GRADED, parameter), run, judged, mapped)


@given(run=rankings, judged=qrels)
def test_means_over_the_topics_of_the_qrels_equal_those_of_ir_measures(run, judged):
    safe = {topic: found for topic, found in judged.items() if max(found.values(), default=-1) >= 0}
    texts = ["nDCG@3", "AP(rel=2)", "P(rel=2)@3", "R@3", "RR", "Bpref(rel=2)", "nDCG(judged_only=True)@3"]
    asked = [ir_measures.parse_measure(text) for text in texts]
    if safe:
        found = ir_measures.calc_aggregate(asked, safe, run)
        for text, measure in zip(texts, asked, strict=True):
            assert ours(text, run, safe).mean.value == pytest.approx(found[measure], abs=1e-12), text


@st.composite
def untied(draw):
    """A run of one topic without ties, which ir_measures' own measures break by rising passage id."""
    names = draw(st.lists(st.sampled_from(PASSAGES), unique=True, min_size=1))
    return {"q1": {name: float(-rank) for rank, name in enumerate(names)}}


@given(run=untied(), judged=st.dictionaries(st.sampled_from(PASSAGES), st.integers(0, 3), min_size=1))
def test_judged_and_cut_reciprocal_rank_equal_those_of_ir_measures(run, judged):
    asked = [ir_measures.parse_measure(text) for text in ("Judged@4", "RR(rel=2)@4")]
    found = ir_measures.calc_aggregate(asked, {"q1": judged}, run)
    share_of_length = ours("Judged@4", run, {"q1": judged}).by_topic["q1"] * 4 / min(4, len(run["q1"]))
    assert share_of_length == pytest.approx(found[asked[0]])
    assert ours("RR(rel=2)@4", run, {"q1": judged}).by_topic["q1"] == pytest.approx(found[asked[1]])


def chapelle(ranking, judged, highest):
    """ERR as Algorithm 1 of Chapelle et al. (CIKM 2009) computes it, rank by rank."""
    goes_on, found = 1.0, 0.0
    for rank, passage_id in enumerate(ranking, 1):
        satisfied = (2 ** max(judged.get(passage_id, 0), 0) - 1) / 2**highest
        found += goes_on * satisfied / rank
        goes_on *= 1 - satisfied
    return found


@given(run=rankings, judged=qrels, cutoff=st.integers(1, 6), highest=st.integers(3, 5))
def test_err_equals_the_algorithm_of_its_paper(run, judged, cutoff, highest):
    read = runs.build_run("t", run)
    expected = {
        topic: chapelle(read.ranking(topic, cutoff), grades_there, highest) for topic, grades_there in judged.items()
    }
    assert ours(f"ERR@{cutoff}", run, judged, highest).by_topic == pytest.approx(expected, abs=1e-12)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a perl script")
def test_err_and_exponential_ndcg_equal_those_of_gdeval_on_its_scale():
    rng = np.random.default_rng(5)
    topics, names = [str(topic) for topic in range(1, 81)], [f"d{n}" for n in range(12)]
    judged = {topic: dict(zip(names[:8], rng.integers(-2, 5, 8).tolist(), strict=True)) for topic in topics}
    run = {topic: dict(zip(names[2:], rng.integers(0, 6, 10).astype(float).tolist(), strict=True)) for topic in topics}
    asked = [ir_measures.parse_measure(text) for text in ("ERR@5", "nDCG(dcg='exp-log2')@5")]
    for metric in ir_measures.iter_calc(asked, judged, run):
        value = ours(str(metric.measure), run, judged, highest=4).by_topic[metric.query_id]
        assert value == pytest.approx(metric.value, abs=5.1e-6), metric

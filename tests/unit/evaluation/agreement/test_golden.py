"""The golden cases of these measures, against the values that established tools computed."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from annotate.formats import qrels, runs
from evaluation.agreement import alpha, kappa
from evaluation.engine import scoring
from evaluation.measures import grade_matrix, registry
from evaluation.measures.rbp import rbp
from evaluation.statistics import rank_correlation
from evaluation.statistics.rank_correlation import tau_ap
from tests import shared_data

CASES = Path(__file__).parents[3] / "golden" / "cases.json"


def close(value):
    return pytest.approx(value, abs=1e-9)


@pytest.fixture(scope="module")
def cases():
    return {case["id"]: case for case in json.loads(CASES.read_text(encoding="utf-8"))}


def score(case, measure, topic="q1"):
    """The value of a measure for one topic of a case that holds a run and its qrels."""
    found = registry.parse(measure)
    run = runs.build_run("golden", case["input"]["run"])
    return scoring.score_run(run, case["input"]["qrels"], [found]).measures[found].by_topic[topic]


@pytest.mark.parametrize(
    ("case_id", "measure"),
    [
        ("ndcg10-linear", "nDCG@10"),
        ("ndcg10-exp", "nDCG(gain=exp)@10"),
        ("ndcg10-linear-condensed", "nDCG(unjudged=condensed)@10"),
        ("ndcg3-linear", "nDCG@3"),
        ("ndcg-linear-nocut", "nDCG"),
        ("bpref", "bpref"),
    ],
)
def test_one_topic_has_the_golden_value(cases, case_id, measure):
    assert score(cases[case_id], measure) == close(cases[case_id]["expected"]["q1"])


def test_judged_divides_by_the_cut_off(cases):
    assert score(cases["judged10"], "Judged@10") == close(cases["judged10"]["expected"]["per_k"])


@pytest.mark.parametrize(
    "case_id", ["rbp-graded-p0.5", "rbp-graded-p0.9", "rbp-graded-p0.95", "rbp-all-judged-residual"]
)
def test_rank_biased_precision_has_the_golden_base_and_residual(cases, case_id):
    given, expected = cases[case_id]["input"], cases[case_id]["expected"]
    ids = [str(rank) for rank in range(len(given["labels"]))]
    judged = {name: grade for name, grade in zip(ids, given["labels"], strict=True) if grade is not None}
    matrix = grade_matrix.build([ids], [judged], highest=given["max"])
    for part in ("base", "residual"):
        assert rbp(matrix, p=given["p"], part=part).tolist() == close([expected[part]])


@pytest.mark.parametrize(
    "case_id",
    [
        "ndcg10-ties-unjudged-first",
        "ndcg10-ties-relevant-first",
        "ndcg10-ties-byte-order-numeric-ids",
        "ndcg10-one-doc-run",
        "ndcg10-negative-label",
        "ndcg10-no-relevant-topic",
    ],
)
@pytest.mark.parametrize(
    ("key", "measure"),
    [
        ("linear", "nDCG@10"),
        ("exp", "nDCG(gain=exp)@10"),
        ("condensed_linear", "nDCG(unjudged=condensed)@10"),
        ("condensed_exp", "nDCG(gain=exp,unjudged=condensed)@10"),
    ],
)
def test_ties_negative_grades_and_short_runs_have_the_golden_value(cases, case_id, key, measure):
    assert score(cases[case_id], measure) == close(cases[case_id]["expected"][key])


def test_a_missing_topic_counts_in_the_mean(cases):
    case, measure = cases["mean-missing-topic"], registry.parse("nDCG@10")
    scores = scoring.score_run(runs.build_run("t", case["input"]["run"]), case["input"]["qrels"], [measure])
    assert scores.measures[measure].mean.value == close(case["expected"]["over_qrels_topics"])
    assert scores.measures[measure].by_topic["q1"] == close(case["expected"]["over_run_topics"])
    assert scores.missing_topics == ("q2",)


def test_a_generated_run_on_dl19_has_the_golden_values(cases):
    graded = qrels.collect_qrels(qrels.read_qrels(shared_data.path("dl19", "qrels.txt")))
    expected = cases["dl19-hashrun"]["expected"]
    names = {
        "ndcg10_linear": "nDCG@10",
        "ndcg10_exp": "nDCG(gain=exp)@10",
        "ndcg10_linear_condensed": "nDCG(unjudged=condensed)@10",
        "ndcg10_exp_condensed": "nDCG(gain=exp,unjudged=condensed)@10",
        "bpref_l1": "bpref",
        "bpref_l2": "bpref(rel=2)",
        "P10_l2": "P(rel=2)@10",
        "map_l2": "AP(rel=2)",
        "judged10_per_k": "Judged@10",
    }
    measures = {key: registry.parse(name) for key, name in names.items()}
    found = scoring.score_run(runs.build_run("hash", _hash_run(graded)), graded, list(measures.values()))
    for key, measure in measures.items():
        assert found.measures[measure].mean.value == close(expected[key]), key
    first = expected["first_topic"]
    for key in ("ndcg10_linear", "ndcg10_exp"):
        assert found.measures[measures[key]].by_topic[first] == close(expected[f"first_topic_{key}"])


def _hash_run(graded):
    """Every judged passage and a hundred unjudged ones, in an order that a hash and a little of the grade decide."""

    def chance(query_id, passage_id):
        return int(hashlib.md5(f"{query_id}|{passage_id}".encode()).hexdigest()[:8], 16) % 500 / 10

    unjudged = dict.fromkeys((f"unj{n:03d}" for n in range(100)), 0)
    return {
        query_id: {name: chance(query_id, name) + 5 * grade for name, grade in {**grades, **unjudged}.items()}
        for query_id, grades in graded.items()
    }


@pytest.mark.parametrize("case_id", ["tau-perfect-with-ties", "tau-opposite", "tau-constant-pred", "tau-both-constant"])
def test_pair_counts_and_correlations_are_golden(cases, case_id):
    given, expected = cases[case_id]["input"], cases[case_id]["expected"]
    counts = rank_correlation.count_scores(given["x"], given["y"])
    assert (counts.concordant, counts.discordant) == (expected["C"], expected["D"])
    assert (counts.tied_first, counts.tied_second) == (expected["ties_x"], expected["ties_y"])
    assert counts.tied_both == expected["ties_xy"]
    assert rank_correlation.tau_a(counts).value == close(expected["tau_a"])
    assert rank_correlation.recipe_gamma(counts).value == close(expected["gamma_seed_recipe"])
    is_constant = expected["tau_b"] == "nan"
    assert rank_correlation.tau_b(counts).value == (None if is_constant else close(expected["tau_b"]))
    assert rank_correlation.gamma(counts).is_defined is not is_constant


@pytest.mark.parametrize("case_id", ["tauAP-BACDE", "tauAP-ABCED", "tauAP-EDCBA"])
def test_tau_ap_and_tau_are_golden(cases, case_id):
    given, expected = cases[case_id]["input"], cases[case_id]["expected"]
    names = sorted(given["truth"])
    truth, estimated = ([-given[order].index(name) for name in names] for order in ("truth", "estimated"))
    assert tau_ap(truth, estimated, names).value == close(expected["tau_ap"])
    assert rank_correlation.tau_b(rank_correlation.count_scores(truth, estimated)).value == close(expected["tau"])


def test_a_confusion_table_gives_the_golden_kappas_alphas_and_correlations(cases):
    table, expected = np.array(cases["kappa-4x4"]["input"]["confusion"]), cases["kappa-4x4"]["expected"]
    first, second = (place.repeat(table.ravel()) for place in np.divmod(np.arange(16), 4))
    assert kappa.table(first, second, range(4)).tolist() == table.tolist()
    assert table.sum() == expected["n"]
    assert kappa.kappa(table).value == close(expected["kappa"])
    assert kappa.kappa(table, "linear").value == close(expected["linear"])
    assert kappa.kappa(table, "quadratic").value == close(expected["quadratic"])
    for rel in (1, 2):
        binary = kappa.binarised(table, range(4), rel)
        assert kappa.kappa(binary).value == close(expected[f"binarised_ge{rel}"])
    for level in ("nominal", "ordinal", "interval"):
        assert alpha.alpha(np.stack([first, second]), range(4), level).value == close(expected[f"alpha_{level}"])
    counts = rank_correlation.count_table(table)
    assert [counts.concordant, counts.discordant] == expected["C_D"]
    assert rank_correlation.gamma(counts).value == close(expected["gamma"])
    assert rank_correlation.tau_b(counts).value == close(expected["tau_b"])


def test_an_unused_grade_counts_in_weighted_kappa(cases):
    given, expected = cases["kappa-gap-labels"]["input"], cases["kappa-gap-labels"]["expected"]
    table = kappa.table(np.array(given["a"]), np.array(given["b"]), range(4))
    assert kappa.kappa(table, "linear").value == close(expected["linear_labels0123"])
    assert kappa.kappa(table, "quadratic").value == close(expected["quadratic_labels0123"])


@pytest.mark.parametrize(
    ("case_id", "reason"), [("kappa-single-class", "all grades are equal"), ("kappa-empty", "no pair was graded")]
)
def test_where_the_peers_give_nan_or_fail_kappa_is_undefined_with_a_reason(cases, case_id, reason):
    first, second = (np.array(cases[case_id]["input"][rater], dtype=np.int64) for rater in "ab")
    table = kappa.table(first, second, range(4))
    for weights in ("unweighted", "linear", "quadratic"):
        assert reason in kappa.kappa(table, weights).reason
    assert kappa.share_equal(table).value == (1.0 if len(first) else None)


def test_the_classic_table_of_four_raters_has_the_golden_alphas(cases):
    grades, expected = _grades(cases["kripp-classic-4x12"]), cases["kripp-classic-4x12"]["expected"]
    for level in ("nominal", "ordinal", "interval"):
        assert alpha.alpha(grades, range(1, 6), level).value == close(expected[level])


@pytest.mark.parametrize(
    ("case_id", "reason"),
    [
        ("kripp-one-value", "all grades are equal"),
        ("kripp-one-rater", "fewer than two raters"),
        ("kripp-no-pairable", alpha.NO_COMMON_PAIR),
    ],
)
def test_where_krippendorff_fails_alpha_is_undefined_with_a_reason(cases, case_id, reason):
    assert reason in alpha.alpha(_grades(cases[case_id]), range(4)).reason


def test_a_missing_grade_is_left_out_of_alpha(cases):
    expected = cases["kripp-python-None"]["expected"]["with_nan"]
    assert alpha.alpha(_grades(cases["kripp-python-None"]), range(4)).value == close(expected)


def test_total_disagreement_has_the_golden_negative_alpha(cases):
    case = cases["kripp-total-disagreement"]
    grades = np.array([["AB".index(letter) for letter in row] for row in case["input"]["data"]])
    assert alpha.alpha(grades, range(2), "nominal").value == close(case["expected"]["nominal"])


def _grades(case):
    return np.array([[-1 if grade is None else grade for grade in row] for row in case["input"]["data"]])

"""TREC DL 2019 passage: our numbers against NIST's own and against those of independent scripts."""

import csv
import gzip
from collections import defaultdict

import pytest

from annotate.formats import qrels, runs
from annotate.formats.records import GradeScale
from evaluation.engine import ranking_shift, rater_agreement, scoring
from evaluation.measures import registry
from tests import shared_data

NDCG = registry.parse("nDCG@10")


def read_qrels(*parts):
    return qrels.collect_qrels(qrels.read_qrels(shared_data.path("dl19", *parts)))


@pytest.fixture(scope="module")
def nist():
    return read_qrels("qrels.txt")


@pytest.fixture(scope="module")
def official_runs():
    folder = shared_data.path("dl19", "runs")
    return [runs.read_run(file) for file in sorted(folder.glob("*.gz")) if not file.name.startswith("rankllm_")]


@pytest.fixture(scope="module")
def official_values():
    values = defaultdict(dict)
    with gzip.open(shared_data.path("dl19", "official_ndcg_cut_10.tsv.gz"), "rt") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            values[row["run"]][row["topic"]] = float(row["ndcg_cut_10"])
    return values


def test_ndcg_at_10_is_that_of_nist_for_every_official_run(nist, official_runs, official_values):
    by_tag = {run.tag: run for run in official_runs}
    assert len(official_values) == 36 and official_values.keys() <= by_tag.keys()
    for tag, expected in official_values.items():
        found = scoring.score_run(by_tag[tag], nist, [NDCG]).measures[NDCG]
        assert found.mean.value == pytest.approx(expected["all"], abs=0.00006), tag
        assert found.by_topic.keys() == expected.keys() - {"all"}
        for topic, value in found.by_topic.items():
            assert value == pytest.approx(expected[topic], abs=0.0001), (tag, topic)


@pytest.mark.parametrize(
    ("rater", "four_way", "binary", "ordinal", "tau_b"),
    [("umbrela-gpt4o", 0.363, 0.524, 0.597, 0.916), ("umbrela-llama3-8b", 0.108, 0.244, 0.195, 0.898)],
)
def test_models_agree_with_nist_as_independent_scripts_found(
    nist, official_runs, rater, four_way, binary, ordinal, tau_b
):
    model = read_qrels("llm", f"{rater}.qrels.gz")
    found = rater_agreement.compare(nist, model, GradeScale(0, 3))
    assert (found.n, found.only_first, found.only_second) == (9260, 0, 0)
    assert found.kappa["unweighted"].value == pytest.approx(four_way, abs=0.0005)
    assert found.kappa["binary"].value == pytest.approx(binary, abs=0.0005)
    assert found.alpha["ordinal"].value == pytest.approx(ordinal, abs=0.0005)
    shift = ranking_shift.compare(official_runs, nist, model, NDCG)
    assert (len(shift.systems), len(shift.topics)) == (37, 43)
    assert shift.tau_b.value == pytest.approx(tau_b, abs=0.0005)

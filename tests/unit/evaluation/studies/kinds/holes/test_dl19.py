"""TREC DL 2019, the 37 official runs: means of tau-b over 200 seeds of an independent run, and their deviations."""

import math

import pytest

from annotate.formats import runs
from annotate.formats.records import GradeScale
from evaluation.engine import grade_files, run_index
from evaluation.studies.design import run_all
from evaluation.studies.kinds.holes import findings, parts
from evaluation.studies.kinds.holes.inputs import Inputs
from evaluation.studies.kinds.holes.plan import Plan
from tests import shared_data

TRIALS = 60
GPT, LLAMA = "model:umbrela-gpt4o", "model:umbrela-llama3-8b"
EXPECTED = {
    ("relevant", 0.9): {
        "none": (0.54, 0.20),
        "constant:1": (0.907, 0.018),
        "constant:2": (0.927, 0.008),
        GPT: (0.926, 0.007),
        LLAMA: (0.920, 0.007),
    },
    ("all", 0.9): {
        "none": (0.56, 0.18),
        "constant:1": (0.69, 0.10),
        "constant:2": (0.64, 0.10),
        GPT: (0.908, 0.012),
        LLAMA: (0.892, 0.017),
    },
    ("all", 0.5): {
        "none": (0.843, 0.042),
        "constant:1": (0.899, 0.026),
        "constant:2": (0.880, 0.028),
        GPT: (0.924, 0.016),
        LLAMA: (0.908, 0.020),
    },
}


@pytest.fixture(scope="module")
def rows():
    folder = shared_data.path("dl19")
    official = sorted(path for path in (folder / "runs").iterdir() if not path.name.startswith("rankllm_"))
    models = (GPT, LLAMA)
    plan = Plan(holes=("relevant", "all"), fillers=models, fractions=(0.5, 0.9), trials=TRIALS, seed=1)
    inputs = Inputs(
        rankings=run_index.build(runs.read_runs(official, depth=10), 10),
        qrels=grade_files.read_grades(folder / "qrels.txt", GradeScale()).qrels,
        models={
            text: grade_files.read_grades(folder / "llm" / f"{text.partition(':')[2]}.qrels.gz", GradeScale()).qrels
            for text in models
        },
    )
    result = run_all(parts, plan, inputs)
    assert (result["systems"], result["topics"], result["graded_pairs"]) == (37, 43, 9260)
    return {(row["holes"], row["fraction"], row["fill"]): row for row in result["results"]}


@pytest.mark.parametrize(
    ("cell", "fill", "mean", "deviation"),
    [(cell, fill, *told) for cell, by_filler in EXPECTED.items() for fill, told in by_filler.items()],
)
def test_the_mean_of_tau_b_is_that_of_the_independent_run(rows, cell, fill, mean, deviation):
    found = rows[*cell, fill]["tau_b"]
    assert found["trials"] == TRIALS
    assert abs(found["mean"] - mean) <= 4 * deviation * math.sqrt(1 / 200 + 1 / TRIALS) + 0.001


def test_where_being_a_hole_tells_that_a_passage_is_relevant_a_model_is_no_better_than_a_constant(rows):
    verdicts = {cell: rows[*cell, GPT]["beside_trivial"] for cell in EXPECTED}
    assert verdicts["relevant", 0.9]["verdict"] != findings.BEATS
    assert verdicts["all", 0.9]["verdict"] == findings.BEATS


def test_the_unpatched_distribution_is_skewed_and_its_quantiles_show_it(rows):
    found = rows["relevant", 0.9, "none"]["tau_b"]
    assert found["median"] - found["low"] > 1.5 * (found["high"] - found["median"])


def test_agreement_on_the_holes_is_far_from_that_over_all_labels(rows):
    row = rows["relevant", 0.5, LLAMA]
    assert row["on_holes"]["alpha_ordinal"]["mean"] < 0.1
    assert row["over_all"]["alpha_ordinal"]["mean"] > 0.6

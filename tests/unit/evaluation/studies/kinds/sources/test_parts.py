import json

import pytest

from annotate.formats import qrels, runs
from evaluation.engine import run_index
from evaluation.studies.design import PlanRefused, run_all
from evaluation.studies.kinds.sources import inputs as sources_inputs
from evaluation.studies.kinds.sources import parts
from evaluation.studies.kinds.sources import plan as plans
from evaluation.studies.kinds.sources.inputs import Inputs
from evaluation.studies.kinds.sources.plan import Plan
from tests import shared_data
from tests.unit.evaluation.studies.kinds.sources import small


def computed(plan=small.PLAN, inputs=None):
    inputs = inputs or small.inputs()
    return run_all(parts, plan, inputs)


def by_labels(result):
    return {each["name"]: {row["system"]: row["mean"] for row in each["systems"]} for each in result["labels"]}


def test_means_under_each_set_of_labels_are_those_reckoned_by_hand():
    assert by_labels(computed()) == {
        "people": {"bm25": 0.5, "dense": 0.0, "gpt-ranker": 0.0},
        "people and model": {"bm25": 0.5, "dense": 0.5, "gpt-ranker": 0.5},
        "model": {"bm25": 0.5, "dense": 0.75, "gpt-ranker": 0.75},
        "calibrated": {"bm25": 0.75, "dense": 0.125, "gpt-ranker": 0.375},
    }


def test_whose_labels_stand_at_the_first_ranks_is_told_of_each_system():
    found = {each["name"]: {row["system"]: row for row in each["systems"]} for each in computed()["labels"]}
    assert found["people"]["bm25"]["labels"] == {"hole": 0.25, "people": 0.75}
    assert found["people and model"]["gpt-ranker"]["labels"] == {"hole": 0.25, "model": 0.5, "people": 0.25}
    assert found["calibrated"]["gpt-ranker"]["labels"] == {"hole": 0.25, "model": 0.5, "people": 0.25}
    # Of a ranking that ends early, the ranks there are: c, b and b; Judged@2 counts the empty one too.
    assert found["people and model"]["dense"]["labels"] == pytest.approx({"hole": 0, "model": 2 / 3, "people": 1 / 3})
    assert found["people and model"]["dense"]["judged"] == 0.75


def test_rankings_are_compared_with_peoples():
    people, both, model, _ = computed()["labels"]
    assert "against" not in people
    assert both["against"]["tau_b"]["reason"]["value"] == "all values of the second are equal"
    # Untied by people: bm25 before the two others; the model has both before bm25.
    assert model["against"]["tau_b"]["value"] == -1.0
    assert [(row["system"], row["place"], row["other_place"]) for row in model["against"]["systems"]] == [
        ("bm25", 1, 3),
        ("dense", 2, 1),
        ("gpt-ranker", 2, 1),
    ]


def test_the_shift_of_each_family_that_a_run_names_is_told():
    """People alone and a model alone by P@2, q1 and q2: dense (0, 0) and (1, 1/2), gpt-ranker (0, 0) and (1, 1/2),
    bm25 (1/2, 1/2) and (1/2, 1/2)."""
    model = computed()["labels"][2]["against"]["by_family"]
    assert [(each["family"], each["systems"]) for each in model] == [
        ("BERT", ["dense", "gpt-ranker"]),
        ("GPT-4", ["gpt-ranker"]),
    ]
    assert [(each["own_mean"], each["others_mean"], each["difference"]) for each in model] == [
        (0.75, 0.0, 0.75),
        (0.75, 0.375, 0.375),
    ]


def test_systems_of_the_judges_family_are_told_apart_by_the_plan_or_by_what_is_known_of_the_judge():
    found = [each["against"]["circularity"] for each in computed()["labels"][1:]]
    assert [each["systems"] for each in found] == [["gpt-ranker"], ["gpt-ranker"], []]
    assert (found[0]["own_mean"], found[0]["others_mean"], found[0]["difference"]) == (0.5, 0.25, 0.25)
    assert found[2]["reason"]["difference"] == "no system is of the judge's family"
    known = computed(inputs=small.inputs(judges={plans.CALIBRATED: "gpt-4o-mini"}))["labels"][3]["against"][
        "circularity"
    ]
    assert (known["family"], known["systems"]) == ("gpt-4o-mini", ["gpt-ranker"])


ASSESSORS = {
    "ann": {"q1": {"a": 1, "b": 0}},
    "bob": {"q1": {"a": 0, "b": 1, "c": 1}},
    "cem": {"q1": {"a": 1}, "q2": {"b": 1}},
}


def test_without_an_assessor_the_consensus_of_the_others_counts_below_what_stands_above_it():
    """Majority: a 1 (1, 0, 1), b none (0, 1), c 1, q2 b 1; above: q2 a 1."""
    inputs = small.inputs(assessors=ASSESSORS, above={"q2": {"a": 1}})
    ann, bob, cem = computed(inputs=inputs)["assessors"]
    assert [each["assessor"] for each in (ann, bob, cem)] == ["ann", "bob", "cem"]
    # Without ann: a is split and becomes a hole, b gets a grade that it lacked, of bob alone.
    assert (ann["grades"], ann["becomes_hole"], ann["changes_grade"], ann["gains_grade"]) == (2, 1, 0, 1)
    # Without bob: c has no grade any more, b gets ann's.
    assert (bob["becomes_hole"], bob["gains_grade"]) == (1, 1)
    # Without cem: a is split, q2 b is a hole.
    assert (cem["becomes_hole"], cem["gains_grade"]) == (2, 0)


def test_a_grade_that_changes_is_no_hole():
    inputs = small.inputs(assessors={"x": {"q1": {"a": 0}}, "y": {"q1": {"a": 1}}, "z": {"q1": {"a": 1}}})
    found = {
        each["assessor"]: each
        for each in computed(small.PLAN.model_copy(update={"consensus": "MAXIMUM"}), inputs)["assessors"]
    }
    assert (found["y"]["changes_grade"], found["y"]["becomes_hole"]) == (0, 0)
    inputs = small.inputs(assessors={"x": {"q1": {"a": 0}}, "y": {"q1": {"a": 1}}})
    found = {
        each["assessor"]: each
        for each in computed(small.PLAN.model_copy(update={"consensus": "MAXIMUM"}), inputs)["assessors"]
    }
    assert (found["y"]["changes_grade"], found["x"]["changes_grade"]) == (1, 0)


def test_assessors_are_left_out_where_asked_and_where_their_grades_count():
    inputs = small.inputs(assessors=ASSESSORS)
    assert computed(small.PLAN.model_copy(update={"with_assessors": False}), inputs)["assessors"] == []
    assert computed(small.PLAN.model_copy(update={"consensus": "ADJUDICATED"}), inputs)["assessors"] == []


def test_topics_are_those_of_every_set_of_labels():
    grades = small.inputs().grades | {plans.MODEL: sources_inputs.grades_of_one({"q1": {"a": 1}, "q9": {}}, "model")}
    found = computed(inputs=small.inputs(grades=grades))
    assert (found["topics"], found["topics_left_out"]) == (["q1"], ["q2", "q9"])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"runs": small.index({})}, "there is no run"),
        (
            {"grades": small.inputs().grades | {plans.MODEL: sources_inputs.grades_of_one({}, "model")}},
            "no topic has grades in every set",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(changes, sentence):
    with pytest.raises(PlanRefused, match=sentence):
        parts.list_parts(small.PLAN, small.inputs(**changes))


def test_the_order_of_the_inputs_does_not_matter_and_the_result_is_json():
    there = small.inputs(assessors=ASSESSORS)
    turned = small.inputs(
        runs=small.index(dict(reversed(small.RUNS.items()))),
        assessors=dict(reversed(ASSESSORS.items())),
        families=dict(reversed(there.families.items())),
    )
    texts = [json.dumps(computed(inputs=each), allow_nan=False) for each in (there, turned)]
    assert texts[0] == texts[1]


def test_a_models_labels_on_dl19_rank_the_official_runs_as_published():
    """tau-b .916 between the rankings by NIST's grades and by GPT-4o's: ../shared/data/README.md."""
    people = qrels.collect_qrels(qrels.read_qrels(shared_data.path("dl19", "qrels.txt")))
    model = qrels.collect_qrels(qrels.read_qrels(shared_data.path("dl19", "llm", "umbrela-gpt4o.qrels.gz")))
    files = sorted(shared_data.path("dl19", "runs").glob("[!r]*.run.gz")) + sorted(
        shared_data.path("dl19", "runs").glob("runid*.run.gz")
    )
    plan = Plan(model="gpt4o", resamples=20)
    inputs = Inputs(
        runs=run_index.build(runs.read_runs(files, depth=10), 10),
        grades={
            plans.PEOPLE: sources_inputs.grades_of_one(people, "people"),
            plans.BOTH: sources_inputs.combine_grades(people, model),
            plans.MODEL: sources_inputs.grades_of_one(model, "model"),
        },
    )
    assert len(files) == 37
    found = parts.run_part(plan, inputs, "labels model")["against"]
    assert found["tau_b"]["value"] == pytest.approx(0.916, abs=0.0015)

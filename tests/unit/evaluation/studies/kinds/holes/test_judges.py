import json

import pytest

from evaluation.agreement import pairing
from evaluation.engine import scoring
from evaluation.measures import registry
from evaluation.statistics import rank_correlation
from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds.holes import inputs as holes_inputs
from evaluation.studies.kinds.holes import judges, parts, trials
from evaluation.studies.kinds.holes.inputs import Texts
from evaluation.studies.kinds.holes.plan import Plan
from tests.unit.evaluation.studies.kinds.holes import small

WORDS = [
    "weather in the mountains",
    "rain and some storms",
    "storms cause floods",
    "floods that storms cause in spring",
]
CALIBRATED = "calibrated:gpt"
PLAN = Plan(holes=("all",), fillers=("learned", CALIBRATED), fractions=(0.5,), trials=2)


def texts(without=()):
    """The more of the query's words, the higher the grade; no two passages are the same."""
    return Texts(
        topics=dict.fromkeys(small.qrels(), ("what do storms cause floods", "")),
        passages={
            name: f"{WORDS[grade]} number {name}" for name, grade in small.qrels()["q0"].items() if name not in without
        },
    )


def given(of_texts=None, **changes):
    of_texts = of_texts or texts()
    said = pairing.grades_by_pair(small.qrels())
    fitted = {"model_labels": {CALIBRATED: said}, "texts": {"learned": of_texts, CALIBRATED: of_texts}}
    return small.inputs(**(fitted | changes))


def test_each_trial_of_a_judge_is_a_part_and_both_fill_all_holes():
    inputs = given()
    assert parts.list_parts(PLAN, inputs) == [
        "all 0.5 from trial 1: labels",
        "all 0.5 from trial 1: judge 1",
        "all 0.5 from trial 2: judge 1",
        "all 0.5 from trial 1: judge 2",
        "all 0.5 from trial 2: judge 2",
    ]
    rows = small.rows(PLAN, inputs)
    for text in PLAN.fillers:
        assert (rows[text]["unfilled"]["mean"], rows[text]["trials"]) == (0.0, 2)
        assert rows[text]["on_holes"]["alpha_ordinal"]["mean"] > 0.8
        assert {"tau_b_gain", "tau_ap_gain", "rmse_gain"} < rows[text].keys()
        assert rows[text]["rmse_gain"]["mean"] < rows["random"]["rmse"]["mean"]


def test_gains_are_those_that_scoring_expects_of_the_same_probabilities():
    on = holes_inputs.prepare_inputs(PLAN.model_copy(update={"fillers": ("learned",)}), given())
    part = trials.split_into_parts(on)["all 0.5 from trial 1: judge 1"]
    found = judges.run_judge_trial(on, part)["learned"]
    taken = trials.draw_holes(on, part.pattern, part.fraction, part.names)[0]
    left = {query_id: dict(grades) for query_id, grades in small.qrels().items()}
    asked = [pair for pair, is_taken in zip(on.pairs, taken, strict=True) if is_taken]
    for query_id, passage_id in asked:
        del left[query_id][passage_id]
    said, _ = judges._predictions(on, part.fillers[0], pairing.grades_by_pair(left), asked, "1")
    probabilities = {}
    for (query_id, passage_id), prediction in said.items():
        probabilities.setdefault(query_id, {})[passage_id] = prediction.for_scoring
    ndcg = registry.parse("nDCG@10")
    scored = scoring.score_runs(small.rankings(), left, [ndcg], probabilities=probabilities)
    means = [run.measures[ndcg].mean.number for run in scored]
    expected = rank_correlation.tau_b(rank_correlation.count_scores(on.full_ranking.means, means)).number
    assert found["tau_b_gain"] == [pytest.approx(expected, abs=1e-12)]


def test_a_part_is_the_same_whenever_it_is_computed():
    name = "all 0.5 from trial 2: judge 2"
    first, again = (parts.run_part(PLAN, given(), name) for _ in range(2))
    assert json.dumps(first) == json.dumps(again)


def test_holes_without_a_text_stay_open():
    inputs = given(texts(without=("d0", "d1")))
    row = small.rows(PLAN.model_copy(update={"fillers": ("learned",), "trials": 1}), inputs)["learned"]
    assert 0 < row["unfilled"]["mean"] < row["dropped"]["mean"]


def test_a_judge_with_too_little_to_learn_from_fills_nothing_and_says_so():
    qrels = {"q0": {"d0": 3, "d1": 0, "d12": 1, "d13": 2}}
    row = small.rows(PLAN.model_copy(update={"fillers": ("learned",), "trials": 1}), given(qrels=qrels))["learned"]
    assert row["unfilled"] == row["dropped"]
    [warning] = row["warnings"]
    assert "a judge learns from at least 10 judged pairs" in warning


@pytest.mark.parametrize("lacking", ["model_labels", "texts"])
def test_what_a_judge_needs_and_does_not_get_is_named(lacking):
    inputs = given(**{lacking: {}})
    with pytest.raises(PlanRefused, match="calibrated:gpt needs are not there"):
        parts.run_part(PLAN, inputs, "all 0.5 from trial 1: judge 2")


def test_where_nothing_was_taken_away_a_judge_changes_nothing():
    plan = Plan(holes=("leave-system-out",), fillers=("learned",), depth=1)
    rows = {each["name"]: each for each in small.rows(plan, given())["learned"]["left_out"]}
    assert {each["dropped"] for each in rows.values()} >= {0}
    row = small.rows(PLAN.model_copy(update={"fillers": ("learned",), "fractions": (0.001,), "trials": 1}), given())[
        "learned"
    ]
    assert (row["tau_b"]["mean"], row["tau_b_gain"]["mean"], row["dropped"]["mean"]) == (1.0, 1.0, 0.0)

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.formats import runs
from annotate.formats.records import GradeScale
from evaluation.engine import run_index, scoring
from evaluation.measures import registry
from evaluation.statistics import rank_correlation
from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds.holes import findings, inputs, parts, systems
from evaluation.studies.kinds.holes.plan import Plan
from evaluation.studies.kinds.holes.report import make_report
from tests.unit.evaluation.studies.kinds.holes import small

PLAN = Plan(holes=("all",), fillers=("model:truth", "condensed", "bpref"), fractions=(0.5,), trials=4)
KNOWING = {"models": {"model:truth": small.qrels()}}


def test_a_filler_that_knows_the_truth_changes_nothing():
    row = small.rows(PLAN.model_copy(update={"trials": 20}), small.inputs(**KNOWING))["model:truth"]
    assert [row[name]["mean"] for name in ("tau_b", "tau_ap", "rmse", "largest_rank_change")] == [1.0, 1.0, 0.0, 0.0]
    assert [row[f"significant_{what}"]["mean"] for what in ("lost", "found", "reversed")] == [0.0, 0.0, 0.0]
    for where in ("on_holes", "over_all"):
        assert [row[where][kind]["mean"] for kind in systems.AGREEMENT_FIGURES] == [1.0] * 5
    confusion = np.array(row["on_holes"]["confusion"])
    assert confusion.tolist() == np.diag([32.0, 20.0, 16.0, 12.0]).tolist()
    assert row["beside_trivial"]["verdict"] == findings.BEATS


@given(st.sampled_from(["relevant", "all", "per-topic", "uneven"]), st.integers(0, 2**63 - 1))
@settings(max_examples=15)
def test_without_holes_the_ranking_is_the_same_and_agreement_is_undefined(pattern, seed):
    plan = Plan(holes=(pattern,), fillers=(), fractions=(0.001,), trials=2, seed=seed)
    for row in small.result(plan, small.inputs())["results"]:
        assert row["dropped"]["mean"] == 0
        assert (row["tau_b"]["mean"], row["tau_ap"]["mean"], row["rmse"]["mean"]) == (1.0, 1.0, 0.0)
        for where in ("on_holes", "over_all"):
            for kind in systems.AGREEMENT_FIGURES:
                assert (row[where][kind]["mean"], row[where][kind]["reason"]) == (None, systems.NO_HOLE)


@given(st.randoms(use_true_random=False))
@settings(max_examples=10)
def test_the_order_of_the_inputs_does_not_matter(shuffler):
    given = small.inputs(**KNOWING)
    tags = list(range(small.SYSTEMS))
    shuffler.shuffle(tags)
    ranks = given.rankings
    other = small.inputs(
        rankings=replace(ranks, run_tags=tuple(ranks.run_tags[tag] for tag in tags), at_ranks=ranks.at_ranks[tags]),
        qrels=_shuffled(given.qrels, shuffler),
        models={"model:truth": _shuffled(given.models["model:truth"], shuffler)},
    )
    plan = PLAN.model_copy(update={"holes": ("all", "uneven", "leave-system-out")})
    assert json.dumps(small.result(plan, other)) == json.dumps(small.result(plan, given))


def _shuffled(qrels, shuffler):
    topics = list(qrels)
    shuffler.shuffle(topics)
    return {topic: dict(shuffler.sample(list(qrels[topic].items()), len(qrels[topic]))) for topic in topics}


def test_parts_that_came_back_from_json_give_the_same_result():
    given = small.inputs(**KNOWING)
    found = {name: parts.run_part(PLAN, given, name) for name in parts.list_parts(PLAN, given)}
    kept = json.loads(json.dumps(found, sort_keys=True, allow_nan=False))
    again = parts.gather(PLAN, small.inputs(**KNOWING), kept)
    assert json.dumps(again) == json.dumps(parts.gather(PLAN, given, found))


def test_many_trials_are_several_parts():
    plan = PLAN.model_copy(update={"trials": 120})
    names = parts.list_parts(plan, small.inputs(**KNOWING))
    assert names == [f"all 0.5 from trial {first}: labels" for first in (1, 51, 101)]


@pytest.mark.parametrize("gain", ["linear", "exp"])
def test_means_and_tau_are_those_of_scoring_with_what_remains(gain):
    """Worked out the long way: the qrels of a trial are written out and scored."""
    given, plan = small.inputs(), PLAN.model_copy(update={"fillers": (), "gain": gain, "trials": 1})
    from evaluation.studies.kinds.holes import inputs
    from evaluation.studies.kinds.holes import plan as holes_plan
    from evaluation.studies.kinds.holes import trials as holes_trials

    on = inputs.prepare_inputs(plan, given)
    [taken] = holes_trials.draw_holes(on, holes_plan.parse_pattern("all"), 0.5, ["1"])
    gone = {pair for pair, is_taken in zip(on.pairs, taken, strict=True) if is_taken}
    left = {
        topic: {name: grade for name, grade in grades.items() if (topic, name) not in gone}
        for topic, grades in given.qrels.items()
    }
    measure = registry.parse(f"nDCG(gain={gain})@10")
    full, few = (
        [scores.measures[measure].mean.number for scores in scoring.score_runs(given.rankings, qrels, [measure])]
        for qrels in (given.qrels, left)
    )
    row = small.rows(plan, given)["none"]
    assert row["tau_b"]["mean"] == rank_correlation.tau_b(rank_correlation.count_scores(full, few)).number
    assert row["rmse"]["mean"] == pytest.approx(math.dist(full, few) / math.sqrt(len(full)))
    shifts = {each["run_tag"]: each["shift"]["mean"] for each in row["shift"]}
    assert shifts == pytest.approx({f"s{place}": b - a for place, (a, b) in enumerate(zip(full, few, strict=True))})


def test_condensed_lists_and_bpref_are_the_measures_themselves():
    given, plan = small.inputs(), PLAN.model_copy(update={"fillers": ("condensed", "bpref"), "trials": 1})
    from evaluation.studies.kinds.holes import inputs
    from evaluation.studies.kinds.holes import plan as holes_plan
    from evaluation.studies.kinds.holes import trials as holes_trials

    on = inputs.prepare_inputs(plan, given)
    [taken] = holes_trials.draw_holes(on, holes_plan.parse_pattern("all"), 0.5, ["1"])
    gone = {pair for pair, is_taken in zip(on.pairs, taken, strict=True) if is_taken}
    left = {
        topic: {name: grade for name, grade in grades.items() if (topic, name) not in gone}
        for topic, grades in given.qrels.items()
    }
    found = small.rows(plan, given)
    for filler, text in (("condensed", "nDCG(unjudged=condensed)@10"), ("bpref", "bpref")):
        measure, ndcg = registry.parse(text), registry.parse("nDCG@10")
        few = [scores.measures[measure].mean.number for scores in scoring.score_runs(given.rankings, left, [measure])]
        for name, by in (("tau_b", ndcg), ("tau_b_own", measure)):
            full = [scores.measures[by].mean.number for scores in scoring.score_runs(given.rankings, given.qrels, [by])]
            expected = rank_correlation.tau_b(rank_correlation.count_scores(full, few)).number
            assert found[filler][name]["mean"] == pytest.approx(expected, abs=1e-12)
        assert (found[filler]["rmse"]["mean"], found[filler]["rmse"]["trials"]) == (None, 0)


@pytest.mark.parametrize("text", ["condensed", "bpref"])
def test_what_is_kept_of_long_lists_is_all_that_they_need(text):
    """The rankings cut to ten ranks and what is graded below, and whole ones: the same to the last digit."""
    qrels = {topic: dict(list(grades.items())[::2]) for topic, grades in small.qrels().items()}
    plan = PLAN.model_copy(update={"fillers": (text,)})
    found = [runs.build_run(f"s{n}", _scores(n)) for n in range(4)]
    whole, cut = run_index.build(found), inputs.index_runs(found, plan, qrels)
    assert cut.at_ranks.shape[-1] < whole.at_ranks.shape[-1]
    results = [small.result(plan, small.inputs(rankings=each, qrels=qrels)) for each in (whole, cut)]
    assert json.dumps(results[0]) == json.dumps(results[1])


def _scores(system):
    order = random.Random(system)
    return {topic: {f"d{n}": order.random() for n in range(40)} for topic in small.qrels()}


def test_a_topic_that_lost_all_relevant_passages_counts_nothing():
    """Both systems find the one relevant passage of each topic; q1's is taken away: the mean is halved, not kept."""
    rankings = run_index.build(
        runs.build_run(tag, {"q0": {first: 1.0}, "q1": {"d0": 1.0}}) for tag, first in (("a", "d0"), ("b", "d1"))
    )
    given = small.inputs(rankings=rankings, qrels={"q0": {"d0": 1, "d1": 0}, "q1": {"d0": 1}})
    plan = Plan(holes=("relevant",), fillers=(), fractions=(0.5,), trials=20)
    row = small.rows(plan, given)["none"]
    shift = {each["run_tag"]: each["shift"] for each in row["shift"]}
    assert (shift["a"]["low"], shift["a"]["high"]) == (-0.5, -0.5)


def test_a_single_system_has_no_ranking_and_says_why():
    rankings = run_index.build([runs.build_run("a", {"q0": {"d0": 1.0}})])
    row = small.rows(PLAN.model_copy(update={"fillers": ()}), small.inputs(rankings=rankings))["none"]
    assert (row["tau_b"]["mean"], row["tau_b"]["reason"]) == (None, rank_correlation.TOO_FEW)


def test_equal_means_say_that_they_are_equal():
    rankings = run_index.build(runs.build_run(tag, {"q0": {"d0": 1.0}}) for tag in "ab")
    row = small.rows(PLAN.model_copy(update={"fillers": ()}), small.inputs(rankings=rankings))["none"]
    assert row["tau_b"]["reason"] == "all systems have the same mean"


def test_two_runs_with_one_tag_are_refused():
    rankings = run_index.build(runs.build_run("a", {"q0": {"d0": 1.0}}) for _ in range(2))
    with pytest.raises(PlanRefused, match="2 runs have the tag 'a'"):
        parts.list_parts(PLAN, small.inputs(rankings=rankings, **KNOWING))


def test_who_was_left_out_is_told_with_the_grades_that_went():
    plan = Plan(holes=("leave-system-out",), fillers=(), depth=3)
    row = small.rows(plan, small.inputs())["none"]
    assert [each["name"] for each in row["left_out"]] == [f"s{number}" for number in range(small.SYSTEMS)]
    assert row["trials"] == small.SYSTEMS
    assert row["dropped"]["mean"] == pytest.approx(np.mean([each["dropped"] for each in row["left_out"]]))


def test_a_shallower_pool_has_one_trial_but_for_fillers_with_chance():
    plan = Plan(holes=("depth:2",), fillers=(), trials=5)
    trials = {text: row["trials"] for text, row in small.rows(plan, small.inputs()).items()}
    assert trials == {"none": 1, "constant:1": 1, "constant:2": 1, "constant:3": 1, "random": 5, "prior": 5}


def test_a_scale_from_one_has_no_grade_below_it():
    qrels = {topic: {name: grade + 1 for name, grade in grades.items()} for topic, grades in small.qrels().items()}
    plan = PLAN.model_copy(update={"holes": ("relevant",), "fillers": ()})
    found = small.rows(plan, small.inputs(qrels=qrels, scale=GradeScale(1, 4)))
    assert sorted(found) == ["constant:1", "constant:2", "constant:3", "constant:4", "none", "prior", "random"]
    assert found["none"]["dropped"]["mean"] == 20 + 16 + 12
    assert len(found["random"]["on_holes"]["confusion"]) == 4


def test_only_the_systems_of_the_plan_are_ranked():
    result = small.result(PLAN.model_copy(update={"fillers": (), "systems": ("s4", "s1")}), small.inputs())
    assert result["systems"] == 2
    assert [each["run_tag"] for each in result["results"][0]["shift"]] == ["s1", "s4"]


def test_a_filler_of_random_grades_is_no_better_than_the_trivial_ones():
    shuffler = random.Random(5)
    guesses = {topic: {name: shuffler.randrange(4) for name in grades} for topic, grades in small.qrels().items()}
    plan = PLAN.model_copy(update={"fillers": ("model:guesses",), "trials": 20})
    row = small.rows(plan, small.inputs(models={"model:guesses": guesses}))["model:guesses"]
    assert row["beside_trivial"]["verdict"] != findings.BEATS
    report = make_report(plan, small.result(plan, small.inputs(models={"model:guesses": guesses})))
    assert any("model:guesses" in finding and "does not beat the trivial" in finding for finding in report.findings)


def test_in_a_shallower_pool_what_no_chance_fills_is_one_trial_however_many_parts_there_are():
    found = small.rows(Plan(holes=("depth:2",), fillers=("bpref",), trials=120), small.inputs())
    assert {text: row["trials"] for text, row in found.items() if row["trials"] != 1} == {"random": 120, "prior": 120}

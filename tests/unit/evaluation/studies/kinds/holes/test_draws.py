import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds.holes import inputs, trials
from evaluation.studies.kinds.holes import plan as holes_plan
from evaluation.studies.kinds.holes.plan import Plan
from tests.unit.evaluation.studies.kinds.holes import small

PLAN = Plan(fillers=(), trials=3)


def drawn(pattern, fraction=None, plan=PLAN, **changes):
    """The ground, and which pairs are taken in each trial."""
    on = inputs.prepare_inputs(plan, small.inputs(**changes))
    parsed = holes_plan.parse_pattern(pattern)
    return on, trials.draw_holes(on, parsed, fraction, trials.list_trials(on, parsed))


@pytest.mark.parametrize("fraction", [0.1, 0.29, 0.5, 0.9])
def test_of_each_relevant_grade_the_share_rounded_down_is_taken(fraction):
    on, taken = drawn("relevant", fraction)
    grades = on.full[:-2]
    for grade, n in ((0, 0), (1, 40), (2, 32), (3, 24)):
        assert np.count_nonzero(taken & (grades == grade), axis=1).tolist() == [int(n * fraction + 1e-9)] * 3


def test_of_all_grades_the_lowest_goes_too():
    on, taken = drawn("all", 0.5)
    assert np.count_nonzero(taken & (on.full[:-2] == 0), axis=1).tolist() == [32] * 3


def test_per_topic_each_topic_loses_its_share():
    on, taken = drawn("per-topic", 0.33)
    assert taken.reshape(3, small.TOPICS, small.PASSAGES).sum(axis=2).tolist() == [[6] * small.TOPICS] * 3


def test_unevenly_the_share_is_of_all_while_topics_lose_nearly_all_or_nearly_none():
    on, taken = drawn("uneven", 0.5, Plan(fillers=(), trials=40))
    assert taken.sum(axis=1).tolist() == [80] * 40
    by_topic = taken.reshape(40, small.TOPICS, small.PASSAGES).mean(axis=2)
    assert np.mean((by_topic >= 0.9) | (by_topic <= 0.1)) > 0.4


@given(st.sampled_from(sorted(holes_plan.OF_FRACTIONS)), st.integers(0, 2**63 - 1))
def test_a_larger_share_takes_what_a_smaller_one_took_and_more(pattern, seed):
    plan = Plan(fillers=(), trials=2, seed=seed)
    _, few = drawn(pattern, 0.3, plan)
    _, many = drawn(pattern, 0.7, plan)
    assert not (few & ~many).any()
    assert many.sum() > few.sum()


def test_trials_differ_and_another_seed_draws_others():
    _, taken = drawn("all", 0.5)
    assert (taken[0] != taken[1]).any()
    _, again = drawn("all", 0.5, Plan(fillers=(), trials=3, seed=2))
    assert (taken != again).any()


def test_a_trial_is_the_same_however_many_there_are():
    _, few = drawn("all", 0.5)
    _, many = drawn("all", 0.5, Plan(fillers=(), trials=9))
    assert (many[:3] == few).all()


def test_holes_and_junk_of_the_reference_are_never_taken():
    qrels = small.qrels()
    qrels["q0"] |= {"d0": -1, "d1": -2}
    on, taken = drawn("all", 0.9, qrels=qrels)
    assert not taken[:, on.full[:-2] < 0].any()


def of_two(**rankings):
    from annotate.formats import runs
    from evaluation.engine import run_index

    return run_index.build(
        runs.build_run(tag, {"q0": {name: -float(place) for place, name in enumerate(names)}})
        for tag, names in rankings.items()
    )


def test_leaving_a_system_out_takes_what_it_alone_brought_into_the_pool():
    on, taken = drawn(
        "leave-system-out",
        plan=Plan(fillers=(), depth=2),
        rankings=of_two(b=["d0", "d1", "d9"], a=["d0", "d2"]),
        qrels={"q0": {"d0": 3, "d1": 2, "d2": 1, "d9": 0}},
    )
    named = [[on.pairs[place][1] for place in np.flatnonzero(row)] for row in taken]
    assert dict(zip(["a", "b"], named, strict=True)) == {"a": ["d2"], "b": ["d1"]}


def test_leaving_a_group_out_takes_what_its_systems_alone_brought():
    on, taken = drawn(
        "leave-group-out",
        plan=Plan(fillers=(), depth=2),
        rankings=of_two(a1=["d0", "d1"], a2=["d1", "d2"], b=["d2", "d3"], alone=["d3", "d0"]),
        qrels={"q0": {f"d{n}": 1 for n in range(4)}},
        groups={"a1": "a", "a2": "a", "b": "b"},
    )
    named = [[on.pairs[place][1] for place in np.flatnonzero(row)] for row in taken]
    assert named == [["d1"], []]


def test_without_groups_none_can_be_left_out():
    with pytest.raises(PlanRefused, match="no run has a group"):
        drawn("leave-group-out")


def test_a_shallower_pool_keeps_what_some_system_has_at_its_top():
    on, taken = drawn(
        "depth:1",
        rankings=of_two(a=["d0", "d1"], b=["d2", "d0"]),
        qrels={"q0": {"d0": 3, "d1": 2, "d2": 1, "elsewhere": 1}},
    )
    assert [on.pairs[place][1] for place in np.flatnonzero(taken[0])] == ["d1", "elsewhere"]


@pytest.mark.parametrize(
    ("changes", "plan", "sentence"),
    [
        ({"qrels": {"q0": {"d0": -1}}}, PLAN, "no grade that could be taken away"),
        ({"qrels": {}}, PLAN, "no grade that could be taken away"),
        ({}, Plan(systems=("s0", "bm25")), "no run has the tag 'bm25'"),
    ],
)
def test_where_nothing_can_be_studied_it_is_said(changes, plan, sentence):
    with pytest.raises(PlanRefused, match=sentence):
        inputs.prepare_inputs(plan, small.inputs(**changes))

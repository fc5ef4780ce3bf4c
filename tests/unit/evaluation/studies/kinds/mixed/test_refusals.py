"""Each construction that gives no valid interval is refused, with the reason and what to do instead."""

import dataclasses

import pytest

from evaluation.studies.design import PlanRefused
from evaluation.studies.kinds.mixed import plan, refusals, report
from evaluation.studies.kinds.mixed.inputs import Stratum
from evaluation.studies.kinds.mixed.plan import Plan
from tests.unit.evaluation.studies.kinds.mixed import made

WHOLE = made.sampled()
FIRST = WHOLE.sampled[0]


def without_first(why, **changes):
    people = {pair: grade for pair, grade in WHOLE.people.items() if pair != FIRST}
    return dataclasses.replace(WHOLE, people=people, unanswered={FIRST: why}, **changes)


def only(inputs, **said):
    """The one refusal of the study, which then tells no interval."""
    found = made.result(inputs, **said)
    assert not found["pairs"]
    assert all("low" not in system for system in found["systems"])
    (refused,) = found["refused"]
    assert refused["instead"]
    return refused


def test_a_sample_that_is_answered_in_full_is_not_refused():
    found = made.result(WHOLE)
    assert found["refused"] == []
    assert all(system["low"] < system["value"] < system["high"] for system in found["systems"])


@pytest.mark.parametrize(
    "order, reason",
    [
        ("pool", "No sample was recorded before people judged"),
        ("influence", "order by influence"),
        ("list", "fixed list that somebody chose"),
    ],
)
def test_judged_pairs_that_are_no_random_sample(order, reason):
    refused = only(dataclasses.replace(WHOLE, order=order))
    assert reason in refused["reason"]
    assert "Draw a recorded random sample" in refused["instead"]


@pytest.mark.parametrize("changed", ["runs", "model", "reference", "frame"])
def test_what_changed_after_the_sample_was_drawn(changed):
    refused = only(dataclasses.replace(WHOLE, changed=(changed,)))
    assert refused["name"] == f"changed {changed}"
    assert "new sample" in refused["instead"]


def test_a_grade_given_with_the_suggestion_in_view():
    refused = only(without_first("in view"))
    assert refused["name"] == "in view"
    assert "1 were judged with a suggestion in view only" in refused["reason"]
    assert only(without_first("in view"), unanswered="bounds") == refused


@pytest.mark.parametrize(
    "why, told",
    [
        ("skipped", "1 people skipped"),
        ("cannot", "1 people said that they cannot judge"),
        ("unsettled", "1 people disagree on"),
    ],
)
def test_a_sampled_pair_that_people_left_out_unless_bounds_are_asked_for(why, told):
    refused = only(without_first(why))
    assert told in refused["reason"]
    assert "no random part" in refused["reason"]
    assert "ask for bounds" in refused["instead"]
    bounded = made.result(without_first(why), unanswered="bounds")
    assert bounded["refused"] == [] and bounded["is_bounded"]


def test_judging_that_ended_before_the_sample_was_done():
    refused = only(without_first("open"))
    assert "nobody has judged yet" in refused["reason"]
    assert "may have ended for the result" in refused["reason"]


def test_an_end_that_was_fixed_beforehand_counts_the_first_rounds_and_says_on_whose_word():
    rounds = {(each.query_id, name) for each in WHOLE.strata for name in each.sampled[:4]}
    people = {pair: grade for pair, grade in WHOLE.people.items() if pair in rounds}
    ended = dataclasses.replace(WHOLE, people=people)
    assert only(ended)["name"] == "unanswered"
    found = made.result(ended, rounds=4)
    assert (found["refused"], found["sample"], found["rounds"]) == ([], 4 * len(WHOLE.strata), 4)
    assert any("fixed before it began" in sentence for sentence in report.warning_sentences(found))
    assert only(ended, rounds=5)["name"] == "unanswered"


def test_a_smaller_part_of_a_sample_that_was_being_judged():
    refused = only(dataclasses.replace(WHOLE, is_cut_short=True))
    assert refused["name"] == "stopped"
    assert "not fixed beforehand" in refused["reason"]


def test_a_topic_with_a_single_sampled_pair():
    first, *others = WHOLE.strata
    strata = (Stratum(first.query_id, first.frame, first.sampled[:1]), *others)
    refused = only(dataclasses.replace(WHOLE, strata=strata))
    assert "fewer than two sampled pairs (such as 'q0'), which tells no variance" in refused["reason"]


def test_a_single_pair_that_is_all_there_is_has_no_variance():
    first, *others = WHOLE.strata
    strata = (Stratum(first.query_id, first.sampled[:1], first.sampled[:1]), *others)
    assert refusals.list_refusals(dataclasses.replace(WHOLE, strata=strata), Plan()) == []


def test_two_systems_that_fewer_than_30_sampled_pairs_tell_apart_are_refused_alone():
    few, many = (made.result(made.sampled(share=share)) for share in (0.1, 0.2))
    for pair in [*few["pairs"], *many["pairs"]]:
        if pair["differing"] < 30:
            assert pair["low"] is None and "fewer than 30" in pair["reason"]
        else:
            assert pair["low"] < pair["high"]
    assert any(pair["low"] is None for pair in few["pairs"])
    assert any(pair["low"] is not None for pair in many["pairs"])
    assert all(system["low"] < system["high"] for system in few["systems"])


def test_with_all_pairs_judged_even_near_twins_are_told_apart():
    found = made.result(made.small(strata=(Stratum("q", ("a", "b"), ("a", "b")),)))
    (pair,) = found["pairs"]
    assert pair["low"] == pair["value"] == pair["high"]
    assert pair["differing"] == 2


@pytest.mark.parametrize("method", plan.INVALID_METHODS)
def test_constructions_that_are_known_not_to_be_valid_are_refused_by_name(method):
    with pytest.raises(PlanRefused) as refused:
        Plan.from_json({"method": method})
    assert plan.INVALID_METHODS[method] in str(refused.value)
    assert "Use frozen" in str(refused.value)


def test_whole_topics_need_two_and_all_their_pairs():
    topics = made.sampled(unit="topic", share=0.4)
    assert made.result(topics)["refused"] == []
    (pair, *_) = topics.sampled
    people = {key: grade for key, grade in topics.people.items() if key != pair}
    missing = dataclasses.replace(topics, people=people, unanswered={pair: "cannot"})
    assert "Bounds for missing grades are there for samples of pairs only" in only(missing)["instead"]
    assert only(missing, unanswered="bounds") == only(missing)
    alone = tuple(dataclasses.replace(each, is_sampled=place == 0) for place, each in enumerate(topics.strata))
    assert "1 sampled topic tells no variance" in only(dataclasses.replace(topics, strata=alone))["reason"]


def test_a_judge_taught_in_folds_is_not_there_for_whole_topics():
    assert only(made.sampled(unit="topic"), method="cross-fitted")["name"] == "topics"


def test_a_judge_that_cannot_learn_is_refused_with_its_reason():
    few = made.small(
        queries={"q": "what is it"},
        texts={name: f"the passage {name}" for name in ("a", "b", "c", "r")},
        strata=(Stratum("q", ("a", "b", "c"), ("a", "b")),),
        known={},
        model={},
    )
    refused = only(few, method="cross-fitted", folds=2)
    assert refused["reason"].startswith("The calibrated judge cannot learn: ")

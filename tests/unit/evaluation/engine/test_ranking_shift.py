import pytest

from annotate.formats import runs
from evaluation.engine import ranking_shift
from evaluation.measures import registry

P1 = registry.parse("P@1")
ONLY_A = runs.build_run("only_a", {"q1": {"a": 1.0}, "q2": {"a": 1.0}})
ONLY_B = runs.build_run("only_b", {"q1": {"b": 1.0}, "q2": {"b": 1.0}})
MIXED = runs.build_run("mixed", {"q1": {"a": 1.0}, "q2": {"b": 1.0}})
LIKES_A = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 0}}
LIKES_B = {"q1": {"a": 0, "b": 1}, "q2": {"a": 0, "b": 1}}


def test_the_same_qrels_move_nobody():
    shift = ranking_shift.compare([ONLY_A, MIXED, ONLY_B], LIKES_A, LIKES_A, P1)
    assert [(s.run_tag, s.reference_place, s.other_place) for s in shift.systems] == [
        ("only_a", 1, 1),
        ("mixed", 2, 2),
        ("only_b", 3, 3),
    ]
    assert shift.tau_a.value == shift.tau_b.value == shift.tau_ap.value == shift.gamma.value == 1.0
    assert shift.spearman.value == 1.0
    assert shift.moved == []


def test_opposite_qrels_turn_the_ranking_round():
    shift = ranking_shift.compare([ONLY_A, MIXED, ONLY_B], LIKES_A, LIKES_B, P1)
    assert [s.other_mean for s in shift.systems] == [0.0, 0.5, 1.0]
    assert shift.tau_b.value == shift.tau_ap.value == shift.spearman.value == -1.0
    assert [(system.run_tag, system.places_up) for system in shift.moved] == [("only_a", -2), ("only_b", 2)]


def test_intervals_leave_the_same_topic_out_on_both_sides():
    """All is turned round, whichever topic is left out; one alone ties two systems on both sides, which stand by their
    names: that costs tau-AP less with q1 (-1/2) than with q2 (0). So its interval alone is wide: with two topics, it is
    everything."""
    found = ranking_shift.intervals([ONLY_A, MIXED, ONLY_B], LIKES_A, LIKES_B, P1, topics=["q1", "q2"])
    assert {name: (each.low, each.high, each.n) for name, each in found.items()} == {
        "tau_b": (-1.0, -1.0, 2),
        "tau_ap": (-1.0, 1.0, 2),
        "tau_a": (-1.0, -1.0, 2),
        "gamma": (-1.0, -1.0, 2),
        "spearman": (-1.0, -1.0, 2),
    }


def test_only_topics_of_both_qrels_are_used_and_named():
    shift = ranking_shift.compare([ONLY_A, MIXED], LIKES_A, {"q1": {"a": 1}, "q3": {"a": 1}}, P1)
    assert shift.topics == ("q1",)
    assert [s.reference_mean for s in shift.systems] == [1.0, 1.0]


def test_tied_systems_share_a_place_and_are_counted():
    shift = ranking_shift.compare([ONLY_A, MIXED, ONLY_B], LIKES_A, LIKES_B, P1, topics=["q1"])
    assert [s.reference_place for s in shift.systems] == [1, 1, 3]
    assert (shift.tied_reference, shift.tied_other) == (1, 1)


def test_given_topics_may_have_lost_all_grades_in_the_other_qrels():
    shift = ranking_shift.compare([ONLY_A, MIXED], LIKES_A, {"q1": {"a": 1}}, P1, topics=["q1", "q2"])
    assert shift.topics == ("q1", "q2")
    assert [s.other_mean for s in shift.systems] == [0.5, 0.5]
    assert shift.tau_b.reason == "all values of the second are equal"


def test_no_common_topic_is_undefined_with_that_reason():
    shift = ranking_shift.compare([ONLY_A, MIXED], LIKES_A, {"q3": {"a": 1}}, P1)
    for value in (shift.tau_a, shift.tau_b, shift.tau_ap, shift.gamma, shift.spearman):
        assert value.reason == ranking_shift.NO_COMMON_TOPIC


@pytest.mark.parametrize("systems", [[], [ONLY_A]])
def test_fewer_than_two_systems_have_no_ranking(systems):
    shift = ranking_shift.compare(systems, LIKES_A, LIKES_B, P1)
    for value in (shift.tau_a, shift.tau_b, shift.tau_ap, shift.gamma, shift.spearman):
        assert value.reason == "fewer than two to compare"

from hypothesis import given
from hypothesis import strategies as st

from annotate.rules import assignment

PASSAGES = [f"p{n}" for n in range(2_000)]


def several(share, seed=1):
    return {p for p in PASSAGES if assignment.assign_target(1, 3, share, seed, query_id="q", passage_id=p) == 3}


def test_about_the_share_of_the_pairs_is_judged_by_several():
    assert abs(len(several(20)) / len(PASSAGES) - 0.2) < 0.03


def test_none_and_all_are_exact():
    assert several(0) == set()
    assert several(100) == set(PASSAGES)


def test_a_share_that_grows_keeps_the_pairs_that_it_had():
    assert several(10) < several(20) < several(60)


def test_another_seed_takes_other_pairs():
    assert several(20, seed=1) != several(20, seed=2)


@given(st.integers(1, 100), st.integers(2, 100), st.integers(0, 100), st.integers(), st.text(), st.text())
def test_the_target_is_one_of_the_two_and_the_same_each_time(usual, more, share, seed, query_id, passage_id):
    asked = [
        assignment.assign_target(usual, more, share, seed, query_id=query_id, passage_id=passage_id) for _ in range(2)
    ]
    assert asked[0] == asked[1] and asked[0] in (usual, more)

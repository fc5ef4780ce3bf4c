from hypothesis import given
from hypothesis import strategies as st

from annotate.texts import rules as backstories_rules

stems = st.lists(st.sampled_from("abcd"), max_size=5)


def test_the_share_is_of_distinct_stems_of_the_first_text():
    assert backstories_rules.share(["a", "a", "b"], ["a"]) == 0.5
    assert backstories_rules.share(["a"], ["a", "b", "c"]) == 1.0


def test_without_stems_there_is_no_share():
    assert backstories_rules.share([], ["a"]) is None
    assert backstories_rules.jaccard([], []) is None


@given(stems, stems)
def test_jaccard_is_the_same_both_ways_and_at_most_either_share(one, other):
    found = backstories_rules.jaccard(one, other)
    assert found == backstories_rules.jaccard(other, one)
    if found is not None:
        assert (
            0 <= found <= min(backstories_rules.share(one, other) or 0, backstories_rules.share(other, one) or 0)
            or found == 0
        )


@given(stems)
def test_a_text_is_wholly_like_itself(one):
    assert backstories_rules.jaccard(one, one) == (1.0 if one else None)

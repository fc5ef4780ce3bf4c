from hypothesis import given
from hypothesis import strategies as st

from annotate.rules import perturbations

texts = st.text("ab \n", max_size=30)


def told(parts):
    return [(part.text, part.is_other) for part in parts]


def test_words_that_differ_are_told_on_both_sides():
    one, other = perturbations.side_by_side("a quick fox", "a slow fox today")
    assert told(one) == [("a ", False), ("quick", True), (" fox", False)]
    assert told(other) == [("a ", False), ("slow", True), (" fox", False), (" today", True)]


def test_equal_texts_have_one_part_and_empty_ones_none():
    assert told(perturbations.side_by_side("a b", "a b")[0]) == [("a b", False)]
    assert perturbations.side_by_side("", "") == ([], [])


@given(texts, texts)
def test_the_parts_joined_give_each_text_back_and_what_is_shared_is_the_same(one, other):
    here, there = perturbations.side_by_side(one, other)
    assert "".join(part.text for part in here) == one
    assert "".join(part.text for part in there) == other
    assert [p.text for p in here if not p.is_other] == [p.text for p in there if not p.is_other]

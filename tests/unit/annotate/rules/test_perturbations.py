import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.rules import perturbations
from annotate.rules.perturbations import Perturbation

words = st.text(alphabet="ab\u4eac\U0001f600 \n\t", max_size=40)


def dress(disguise, query="why is it", passage="One text. Two.", seed=1):
    return perturbations.perturb_passage(disguise, query=query, passage=passage, highest=3, seed=seed)


def test_plain_is_the_passage_itself():
    assert dress(Perturbation.PLAIN) == "One text. Two."


@given(query=words, passage=words, seed=st.integers(0, 2**40))
def test_the_words_of_the_query_come_in_and_nothing_of_the_passage_is_lost(query, passage, seed):
    dressed = dress(Perturbation.WORDS, query, passage, seed)
    assert sorted(dressed.split()) == sorted(query.split() + passage.split())
    rest = iter(dressed.split())
    assert all(word in rest for word in passage.split())


def test_the_seed_decides_where_the_words_come_in():
    assert dress(Perturbation.WORDS) == dress(Perturbation.WORDS)
    assert len({dress(Perturbation.WORDS, seed=seed) for seed in range(20)}) > 5


def test_the_query_stands_in_front_three_times():
    assert dress(Perturbation.QUERY) == "why is it\nwhy is it\nwhy is it\nOne text. Two."


def test_the_instruction_names_the_highest_grade():
    assert dress(Perturbation.ORDER).startswith("One text. Two.\n\n")
    assert "Answer 3." in dress(Perturbation.ORDER)


@pytest.mark.parametrize("disguise", Perturbation)
def test_an_empty_passage_can_be_dressed(disguise):
    assert dress(disguise, passage="").strip() == dress(disguise, passage="").strip()


def test_it_is_wilsons_interval():
    # Newcombe 1998 (Statistics in Medicine 17), table I, method 3: 81 of 263, 0 of 20, 29 of 29.
    found = [perturbations.share_with_interval(*counts) for counts in ((81, 263), (0, 20), (29, 29))]
    assert [(round(one.low, 4), round(one.high, 4)) for one in found] == [(0.2553, 0.3662), (0, 0.1611), (0.883, 1)]


def test_a_share_of_nothing_is_none():
    assert perturbations.share_with_interval(0, 0) is None


@given(st.integers(1, 10**6))
def test_of_none_it_begins_at_0_and_of_all_it_ends_at_1_to_the_last_digit(of):
    assert perturbations.share_with_interval(0, of).low == 0.0
    assert perturbations.share_with_interval(of, of).high == 1.0


@given(st.integers(1, 10**6).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_the_interval_holds_the_share(counts):
    one = perturbations.share_with_interval(*counts)
    assert 0 <= one.low <= one.value + 1e-12 and one.value - 1e-12 <= one.high <= 1
    mirrored = perturbations.share_with_interval(counts[1] - counts[0], counts[1])
    assert mirrored.high == pytest.approx(1 - one.low)


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

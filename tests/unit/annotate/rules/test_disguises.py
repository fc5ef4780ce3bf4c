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

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.texts import rules as variants_rules


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What is a hole", "what is a hole?"),
        ("what  is\ta hole", " what is a hole "),
        ("“what” is—a hole", '"what" is a hole'),
        ("STRASSE", "straße"),
        ("ﬁle", "file"),
    ],
)
def test_case_space_and_punctuation_make_no_new_wording(one, other):
    assert variants_rules.normalize_wording(one) == variants_rules.normalize_wording(other)


@pytest.mark.parametrize(("one", "other"), [("c++", "c"), ("hole", "holes"), ("is a", "a is"), ("東京", "京都")])
def test_other_words_signs_and_orders_are_new(one, other):
    assert variants_rules.normalize_wording(one) != variants_rules.normalize_wording(other)


def test_nothing_is_taken_twice_and_none_that_is_known():
    assert variants_rules.select_new_wordings(["A b", "a  b", "b a", "c?"], ["C"]) == ["A b", "b a"]


def test_what_holds_no_word_or_is_too_long_is_no_wording():
    assert variants_rules.select_new_wordings(["", " ", "?!", "x" * 1001, "x" * 1000], []) == ["x" * 1000]


@given(st.lists(st.text(max_size=8), max_size=8), st.lists(st.text(max_size=8), max_size=4))
def test_what_is_new_once_is_new_no_more(texts, known):
    found = variants_rules.select_new_wordings(texts, known)
    assert variants_rules.select_new_wordings(found, known) == found
    assert variants_rules.select_new_wordings(texts, [*known, *found]) == []


@given(st.text(max_size=20))
def test_a_normal_form_is_its_own_normal_form(text):
    form = variants_rules.normalize_wording(text)
    assert variants_rules.normalize_wording(form) == form

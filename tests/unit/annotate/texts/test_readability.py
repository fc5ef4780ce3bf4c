import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.texts import rules as variants_rules


@pytest.mark.parametrize(
    ("word", "count"),
    [
        ("a", 1), ("the", 1), ("make", 1), ("makes", 1), ("little", 2), ("people", 2), ("asked", 1), ("needed", 2),
        ("boxes", 2), ("query", 2), ("relevance", 3), ("nth", 1), ("élève", 1),
    ],
)  # fmt: skip
def test_syllables_are_about_what_is_spoken(word, count):
    assert variants_rules.count_syllables(word) == count


def test_the_grade_is_the_formulas():
    # 3 words, 1 sentence, 3 syllables: .39 * 3 + 11.8 * 1 - 15.59
    assert variants_rules.reading_grade("the cat sat") == pytest.approx(-2.62)
    assert variants_rules.reading_grade("The cat sat. The dog ran.") == pytest.approx(-2.62)


def test_a_text_without_words_has_no_grade():
    assert variants_rules.reading_grade("42 ?!") is None
    assert variants_rules.reading_grade("") is None


def test_longer_words_ask_for_more():
    assert variants_rules.reading_grade("bibliographic visualization") > variants_rules.reading_grade("nice book")


@given(st.text(max_size=60))
def test_any_text_has_a_grade_or_none_and_never_a_fault(text):
    found = variants_rules.reading_grade(text)
    assert found is None or found > -4

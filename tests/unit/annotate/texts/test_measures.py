import math
import warnings

from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from annotate.texts import rules as variants_rules


def test_words_of_one_letter_and_digits_are_not_looked_up_and_each_word_once():
    assert variants_rules.list_checked_words("A B2B test, a Test of U2") == ["test", "of"]


def test_what_no_list_knows_is_named_in_small_letters():
    assert variants_rules.measure_text("Teh hole", "hole", ["teh", "hole"], ["hole"], {"hole"}).unknown == ["teh"]


def test_a_text_without_words_has_a_length_alone():
    assert variants_rules.measure_text("42", "", [], [], set()) == variants_rules.Measures(None, 1, None, [])


values = st.lists(st.integers(0, 6), min_size=1, max_size=30)


@given(values, values)
def test_mann_whitney_is_scipys(first, second):
    found = variants_rules.mann_whitney(first, second)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = stats.mannwhitneyu(first, second, alternative="two-sided", method="asymptotic")
    assert found.u == known.statistic
    if found.p is None:
        assert len({*first, *second}) == 1
    else:
        assert math.isclose(found.p, known.pvalue, rel_tol=1e-9)


def test_an_empty_sample_compares_with_nothing():
    assert variants_rules.mann_whitney([], [1]) is None
    assert variants_rules.lexical_diversity(["", "42"]) is None


def test_stop_words_count_where_words_are_compared_as_they_stand():
    measured = variants_rules.measure_text("the hole of it", "the gap of it", ["hole"], ["gap"], set())
    assert (measured.jaccard, measured.jaccard_words) == (0.0, 3 / 5)

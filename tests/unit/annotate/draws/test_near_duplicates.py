"""Near-duplicates: what counts as the same, exactly at the bound, and whom a duplicate follows."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.draws import rules as draws_rules

TEXT = "one two three four five six seven"
words = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)


def jaccard(one, other):
    one, other = draws_rules.shingles(one), draws_rules.shingles(other)
    return len(one & other) / len(one | other) if one | other else 0


@pytest.mark.parametrize(
    "same",
    [
        "ONE two Three four five six seven",
        "one  two\n three\tfour five six seven ",
        "One, two: three -- four (five) “six” seven!",
        "ｏｎｅ two three four five six seven",
        "one\u200b two three fo\u00adur five six seven",
    ],
)
def test_case_white_space_punctuation_and_unicode_forms_are_set_aside(same):
    assert draws_rules.find_near_duplicates({"a": TEXT, "b": same}) == {"b": "a"}


@pytest.mark.parametrize(("one", "other"), [("café", "cafe"), ("x < 3", "x > 3"), ("5 €", "5"), ("naïve", "native")])
def test_other_letters_and_signs_are_told_apart(one, other):
    assert draws_rules.find_near_duplicates({"a": one, "b": other}) == {}


def test_composed_and_decomposed_letters_are_the_same():
    assert draws_rules.find_near_duplicates({"a": "caf\u00e9", "b": "cafe\u0301"}) == {"b": "a"}


def test_the_bound_itself_is_near_and_just_below_it_is_not():
    """Shingles of n words: n - 2. Four of five shared is .8; three of four is .75."""
    seven, six, five = TEXT, " ".join(TEXT.split()[:6]), " ".join(TEXT.split()[:5])
    assert (jaccard(seven, six), jaccard(six, five)) == (0.8, 0.75)
    assert draws_rules.find_near_duplicates({"a": seven, "b": six}) == {"b": "a"}
    assert draws_rules.find_near_duplicates({"a": six, "b": five}) == {}


def test_the_first_is_the_representative_and_no_chain_forms():
    """b is near to a, c is near to b but not to a: c stays for itself."""
    texts = [" ".join(f"w{n}" for n in range(start, start + 42)) for start in (0, 3, 6)]
    assert jaccard(texts[0], texts[1]) > 0.8 > jaccard(texts[0], texts[2])
    assert draws_rules.find_near_duplicates(dict(zip("abc", texts, strict=True))) == {"b": "a"}
    assert draws_rules.find_near_duplicates(dict(zip("bac", [texts[1], texts[0], texts[2]], strict=True))) == {
        "a": "b",
        "c": "b",
    }


def test_texts_without_words_have_no_duplicates():
    assert draws_rules.find_near_duplicates({"a": "", "b": "", "c": "...", "d": "..."}) == {}


def test_short_texts_are_compared_whole():
    assert draws_rules.find_near_duplicates({"a": "yes", "b": "Yes.", "c": "yes yes", "d": "no"}) == {"b": "a"}


@given(st.lists(words, max_size=12))
def test_it_finds_exactly_what_comparing_everything_finds(texts):
    expected, representatives = {}, []
    for place, text in enumerate(texts):
        near = next((r for r in representatives if jaccard(texts[r], text) >= 0.8), None)
        if near is None:
            representatives.append(place)
        else:
            expected[str(place)] = str(near)
    assert draws_rules.find_near_duplicates({str(place): text for place, text in enumerate(texts)}) == expected


@given(st.lists(words, max_size=8))
def test_each_duplicate_is_near_to_its_representative_which_is_none_itself(texts):
    named = {str(place): text for place, text in enumerate(texts)}
    found = draws_rules.find_near_duplicates(named)
    assert not set(found) & set(found.values())
    assert all(jaccard(named[duplicate], named[other]) >= 0.8 for duplicate, other in found.items())
    alone = [name for name in named if name not in found and draws_rules.shingles(named[name])]
    assert all(jaccard(named[a], named[b]) < 0.8 for a, b in itertools.combinations(alone, 2))

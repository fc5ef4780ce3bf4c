import pytest

from annotate.judges import text_vectors


def test_case_width_and_punctuation_do_not_matter():
    assert text_vectors.split_words("The ＣＡＴ's (best) hat-trick!") == ["the", "cat", "s", "best", "hat", "trick"]


@pytest.mark.parametrize("word", ["हिन्दी", "שָׁלוֹם", "ünïcode", "привет", "عَرَبِيّ"])
def test_marks_stay_inside_their_word(word):
    assert len(text_vectors.split_words(f"{word}, {word}.")) == 2


def test_scripts_without_spaces_are_split_into_characters():
    assert text_vectors.split_words("東京 2020 ไทย") == ["東", "京", "2020", "ไ", "ท", "ย"]


def test_a_text_without_words_is_empty():
    assert text_vectors.split_words(" \t... \u200b!") == []


def test_inflections_of_a_long_word_share_a_stem():
    assert text_vectors.stem_word("generation") == text_vectors.stem_word("generators")
    assert text_vectors.stem_word("cat") == "cat"

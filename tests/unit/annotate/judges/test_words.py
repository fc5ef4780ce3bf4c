import pytest

from annotate.judges import words


def test_case_width_and_punctuation_do_not_matter():
    assert words.split("The ＣＡＴ's (best) hat-trick!") == ["the", "cat", "s", "best", "hat", "trick"]


@pytest.mark.parametrize("word", ["हिन्दी", "שָׁלוֹם", "ünïcode", "привет", "عَرَبِيّ"])
def test_marks_stay_inside_their_word(word):
    assert len(words.split(f"{word}, {word}.")) == 2


def test_scripts_without_spaces_are_split_into_characters():
    assert words.split("東京 2020 ไทย") == ["東", "京", "2020", "ไ", "ท", "ย"]


def test_a_text_without_words_is_empty():
    assert words.split(" \t... \u200b!") == []


def test_inflections_of_a_long_word_share_a_stem():
    assert words.stem("generation") == words.stem("generators")
    assert words.stem("cat") == "cat"

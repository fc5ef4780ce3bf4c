from annotate.variants.rules import measures


def test_words_of_one_letter_and_digits_are_not_looked_up_and_each_word_once():
    assert measures.words("A B2B test, a Test of U2") == ["test", "of"]


def test_what_no_list_knows_is_named_in_small_letters():
    assert measures.of("Teh hole", ["teh", "hole"], ["hole"], {"hole"}).unknown == ["teh"]


def test_a_text_without_words_has_a_length_alone():
    assert measures.of("42", [], [], set()) == measures.Measures(None, 1, None, [])

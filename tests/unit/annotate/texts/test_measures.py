from annotate.texts import rules as variants_rules


def test_words_of_one_letter_and_digits_are_not_looked_up_and_each_word_once():
    assert variants_rules.list_checked_words("A B2B test, a Test of U2") == ["test", "of"]


def test_what_no_list_knows_is_named_in_small_letters():
    assert variants_rules.measure_text("Teh hole", ["teh", "hole"], ["hole"], {"hole"}).unknown == ["teh"]


def test_a_text_without_words_has_a_length_alone():
    assert variants_rules.measure_text("42", [], [], set()) == variants_rules.Measures(None, 1, None, [])

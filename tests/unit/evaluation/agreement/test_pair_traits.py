from evaluation.agreement import pair_traits


def test_an_empty_passage_has_no_words():
    assert pair_traits.length("") == 0


def test_overlap_is_the_share_of_the_querys_stems_and_repeats_change_nothing():
    assert pair_traits.query_overlap("sorting sorted files", "A sort.") == 0.5
    assert pair_traits.query_overlap("sorting files", "Nothing of it.") == 0.0


def test_a_query_of_stop_words_has_no_overlap():
    assert pair_traits.query_overlap("", "A passage.") is None

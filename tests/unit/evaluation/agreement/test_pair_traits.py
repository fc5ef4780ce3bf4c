from evaluation.agreement import groups


def test_an_empty_passage_has_no_words():
    assert groups.passage_length("") == 0


def test_overlap_is_the_share_of_the_querys_stems_and_repeats_change_nothing():
    assert groups.query_overlap("sorting sorted files", "A sort.") == 0.5
    assert groups.query_overlap("sorting files", "Nothing of it.") == 0.0


def test_a_query_of_stop_words_has_no_overlap():
    assert groups.query_overlap("", "A passage.") is None

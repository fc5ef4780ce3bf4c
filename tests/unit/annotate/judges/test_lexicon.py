import numpy as np

from annotate.judges import text_vectors


def test_stems_are_counted_by_passage():
    stems = text_vectors.build_lexicon(["red fish red", "", "blue fish"])
    assert stems.columns == {"red": 0, "fish": 1, "blue": 2}
    assert stems.counts.toarray().tolist() == [[2, 1, 0], [0, 0, 0], [0, 1, 1]]
    assert stems.lengths.tolist() == [3, 0, 2]


def test_rare_stems_weigh_more_and_none_weighs_nothing():
    stems = text_vectors.build_lexicon(["red fish", "fish", "fish"])
    assert stems.idf[stems.columns["red"]] > stems.idf[stems.columns["fish"]] > 0
    assert np.isclose(stems.idf[0], np.log(1 + 2.5 / 1.5))


def test_only_stems_of_some_passage_are_known_each_once():
    stems = text_vectors.build_lexicon(["red fish"])
    assert text_vectors.find_known_columns(stems, "Fish, green FISH red") == [1, 0]


def test_passages_without_any_word_are_rows_too():
    assert text_vectors.build_lexicon(["", "..."]).counts.shape == (2, 0)

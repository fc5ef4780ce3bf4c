from annotate.retrieval import analysis, inverted_index


def built() -> inverted_index.InvertedIndex:
    return inverted_index.build_index(["a b a", "", "b c"], analysis.plain)


def test_counts_are_occurrences_of_each_term_in_each_passage() -> None:
    index = built()
    assert index.column == {"a": 0, "b": 1, "c": 2}
    assert index.counts.toarray().tolist() == [[2, 1, 0], [0, 0, 0], [0, 1, 1]]
    assert index.passage_lengths.tolist() == [3, 0, 2]
    assert index.passage_frequencies.tolist() == [1, 2, 1]


def test_a_query_counts_its_known_terms_and_leaves_out_the_others() -> None:
    assert built().query("B a b z").tolist() == [1, 2, 0]


def test_rows_name_the_passage_of_each_stored_value() -> None:
    assert inverted_index.row_of_each_value(built().counts).tolist() == [0, 0, 2, 2]


def test_scaling_changes_the_values_and_not_the_places() -> None:
    counts = built().counts
    assert inverted_index.with_values(counts, counts.data * 10).toarray().tolist() == [
        [20, 10, 0],
        [0, 0, 0],
        [0, 10, 10],
    ]
    assert counts.data.tolist() == [2, 1, 1, 1]


def test_texts_without_words_make_an_index_without_terms() -> None:
    index = inverted_index.build_index(["", "..."], analysis.plain)
    assert index.counts.shape == (2, 0)
    assert index.query("a").tolist() == []

from annotate.retrieval import analysis, inverted_index, scorers

TEXTS = ["car engine", "car engine motor", "motor boat", "poem verse"]


def test_a_passage_without_the_query_s_terms_is_found_by_those_of_the_first_passages() -> None:
    index = inverted_index.build_index(TEXTS, analysis.plain)
    assert scorers.prepare_bm25(index)("car")[2] == 0
    scores = scorers.prepare_rm3(index, passages=2, terms=5)("car")
    assert scores[2] > 0
    assert scores[3] == 0


def test_with_the_query_s_own_share_at_one_the_order_is_that_of_bm25() -> None:
    index = inverted_index.build_index(TEXTS, analysis.plain)
    own = scorers.prepare_rm3(index, original=1.0)("car motor")
    assert own.argsort().tolist() == scorers.prepare_bm25(index)("car motor").argsort().tolist()


def test_a_query_without_known_terms_scores_nothing() -> None:
    assert not scorers.prepare_rm3(inverted_index.build_index(TEXTS, analysis.plain))("zebra").any()

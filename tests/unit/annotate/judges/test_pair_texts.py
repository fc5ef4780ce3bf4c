import numpy as np

from annotate.judges import pair_texts, text_index
from annotate.judges.text_index import TopicText

LONG = "Goldfish grow to the size that their tank and their food allow, which takes about three years"
PASSAGES = {"a": LONG, "b": LONG + ".", "c": "Carrots are orange", "d": ""}


def compare(rows: list[int], judged: list[int]) -> pair_texts.PairTexts:
    index = text_index.build(topics={"q": TopicText("goldfish")}, passages=PASSAGES, seed=0)
    return pair_texts.compare(index, "q", np.array(rows), np.array(judged, int))


def test_a_pair_itself_and_near_duplicates_are_left_out():
    assert compare([0, 2, 3], [0, 1, 2, 3]).is_left_out.tolist() == [
        [True, True, False, False],
        [False, False, True, False],
        [False, False, False, True],
    ]


def test_centrality_looks_only_at_what_is_not_left_out():
    texts = compare([0], [1, 2])
    assert texts.features[0, -2] == texts.chars[0, 1]


def test_centrality_is_unknown_where_nothing_is_left():
    assert np.isnan(compare([0], [0, 1]).features[0, -2:]).all()
    assert np.isnan(compare([0], []).features[0, -2:]).all()


def test_features_alone_are_those_without_judged_pairs():
    np.testing.assert_array_equal(compare([0, 2], [1, 2]).features_alone(), compare([0, 2], []).features)

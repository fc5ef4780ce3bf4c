import numpy as np

from annotate.judges import text_features
from annotate.judges.text_features import TopicText

LONG = "Goldfish grow to the size that their tank and their food allow, which takes about three years"
PASSAGES = {"a": LONG, "b": LONG + ".", "c": "Carrots are orange", "d": ""}
INDEX = text_features.build_index(topics={"q": TopicText("goldfish", "a tank for fish")}, passages=PASSAGES, seed=0)


def compare(rows: list[int], judged: list[int], *, may_copies_speak: bool = False) -> text_features.PairTexts:
    return text_features.compare_texts(
        INDEX, "q", np.array(rows), np.array(judged, int), may_copies_speak=may_copies_speak
    )


def features(rows: list[int], judged: list[int], index: text_features.TextIndex = INDEX) -> np.ndarray:
    return text_features.compute_features(index, "q", np.array(rows), compare(rows, judged))


def test_a_pair_itself_is_left_out_and_near_duplicates_where_they_may_not_speak():
    assert compare([0, 2, 3], [0, 1, 2, 3]).is_left_out.tolist() == [
        [True, True, False, False],
        [False, False, True, False],
        [False, False, False, True],
    ]
    assert compare([0], [0, 1, 2, 3], may_copies_speak=True).is_left_out.tolist() == [[True, False, False, False]]


def test_centrality_looks_only_at_what_is_not_left_out():
    assert features([0], [1, 2])[0, -2] == compare([0], [1, 2]).chars[0, 1]


def test_centrality_is_unknown_where_nothing_is_left():
    assert np.isnan(features([0], [0, 1])[0, -2:]).all()
    assert np.isnan(features([0], [])[0, -2:]).all()


def test_features_alone_are_those_without_judged_pairs():
    np.testing.assert_array_equal(text_features.blank_judged_features(features([0, 2], [1, 2])), features([0, 2], []))


def test_comparisons_that_were_kept_are_those_made_anew():
    kept = text_features.keep_comparisons(INDEX, {"q": ["d", "a", "b", "c"]})
    rows, judged = np.array([3, 0]), np.array([1, 0])
    for again, anew in zip(
        text_features.compare_texts(kept, "q", rows, judged),
        text_features.compare_texts(INDEX, "q", rows, judged),
        strict=True,
    ):
        np.testing.assert_allclose(again, anew, atol=1e-12)
    np.testing.assert_allclose(features([3, 0], [1, 0], kept), features([3, 0], [1, 0]), atol=1e-12)

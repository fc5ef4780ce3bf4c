import numpy as np
import pytest

from annotate.judges import text_features
from annotate.judges.text_features import TopicText

PASSAGES = {"a": "gold fish grow", "b": "fish of the sea and of gold", "c": "", "d": "carrots"}
BM25, WEIGHTED, SHARE, IS_ALL, CLOSE, EARLY, DENSITY, LENGTH, LATENT, CHARS = range(10)


def features(query: str) -> np.ndarray:
    index = text_features.build_index(topics={"q": TopicText(query)}, passages=PASSAGES, seed=0)
    return text_features.compute_query_features(index, index.queries["q"], np.arange(4))


def test_a_passage_with_all_words_covers_the_query():
    found = features("gold fish grow")
    assert found[:, SHARE] == pytest.approx([1, 2 / 3, 0, 0])
    assert found[:, IS_ALL].tolist() == [1, 0, 0, 0]
    assert found[0, WEIGHTED] == pytest.approx(1)


def test_words_side_by_side_are_closer_than_words_apart():
    found = features("gold fish")
    assert found[:, CLOSE] == pytest.approx([1, 1 / 6, 0, 0])


def test_earlier_and_denser_is_more():
    found = features("gold")
    assert found[:, EARLY] == pytest.approx([1, 1 / 1.6, 0, 0])
    assert found[:, DENSITY] == pytest.approx([1 / 4, 1 / 8, 0, 0])


def test_the_best_passage_is_best_by_every_measure_of_likeness():
    found = features("gold fish grow")
    assert (found[:, [BM25, WEIGHTED, LATENT, CHARS]].argmax(axis=0) == 0).all()


@pytest.mark.parametrize("query", ["", "???", "zebra"])
def test_a_query_without_known_words_finds_nothing(query):
    found = features(query)
    assert np.isfinite(found).all()
    assert not found[:, [BM25, WEIGHTED, SHARE, CLOSE, EARLY, DENSITY, LATENT]].any()


def test_a_backstory_has_features_of_its_own_and_none_when_it_is_empty():
    topics = {"q": TopicText("gold", "I keep fish that grow"), "r": TopicText("gold")}
    index = text_features.build_index(topics=topics, passages=PASSAGES, seed=0)
    told = text_features.compute_backstory_features(index, index.backstories["q"], np.arange(4))
    assert told[:, 0].argmax() == 0
    assert not text_features.compute_backstory_features(index, index.backstories["r"], np.arange(4)).any()

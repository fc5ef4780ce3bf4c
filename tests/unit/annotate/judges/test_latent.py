import numpy as np
import pytest

from annotate.judges import text_vectors

TEXTS = ["cats purr", "cats meow", "kittens meow", "stocks fell", "stocks rose", ""]


def test_passages_that_share_a_subject_are_close_without_a_common_word(monkeypatch):
    monkeypatch.setattr(text_vectors, "_DIMENSIONS", 2)
    vectors = text_vectors.build_latent_space(text_vectors.build_lexicon(TEXTS), seed=0).vectors
    assert vectors[0] @ vectors[2] > vectors[0] @ vectors[3]


def test_vectors_have_length_one_and_empty_texts_none():
    lengths = np.linalg.norm(text_vectors.build_latent_space(text_vectors.build_lexicon(TEXTS), seed=0).vectors, axis=1)
    assert lengths == pytest.approx([1, 1, 1, 1, 1, 0])


def test_a_query_is_projected_into_the_same_space():
    stems = text_vectors.build_lexicon(TEXTS)
    space = text_vectors.build_latent_space(stems, seed=0)
    query = text_vectors.project_text(space, stems, text_vectors.find_known_columns(stems, "do cats purr"))
    assert (space.vectors @ query).argmax() == 0


@pytest.mark.parametrize("texts", [[""], ["", ""], ["one"], ["one", "one"]])
def test_too_little_text_for_a_space_gives_no_dimensions(texts):
    assert text_vectors.build_latent_space(text_vectors.build_lexicon(texts), seed=0).vectors.shape == (len(texts), 0)

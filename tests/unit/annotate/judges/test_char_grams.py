import numpy as np
import pytest

from annotate.judges import text_vectors


def cosines(*texts: str) -> np.ndarray:
    vectors = text_vectors.build_char_grams(texts).vectors
    return (vectors @ vectors.T).toarray()


def test_rows_have_length_one_and_empty_texts_none():
    assert np.diag(cosines("a goldfish", "", "x", " ")) == pytest.approx([1, 0, 1, 0], abs=1e-6)


def test_case_and_white_space_do_not_matter():
    assert cosines("A  Gold\nfish", " a gold fish")[0, 1] == pytest.approx(1, abs=1e-6)


def test_a_misspelling_is_nearer_than_another_word():
    close = cosines("the goldfish tank", "the goldfsh tank", "an orange carrot")
    assert close[0, 1] > 0.4 > 0.1 > close[0, 2]


def test_other_texts_are_compared_on_the_scale_of_the_passages():
    grams = text_vectors.build_char_grams(["goldfish", "carrot"])
    assert (grams.vectors @ text_vectors.vectorize_texts(grams, ["goldfish"]).T).toarray().ravel() == pytest.approx(
        [1, 0]
    )


def test_any_character_has_a_place():
    assert np.isfinite(cosines("日本語の文章", "\ud800 lone", "🙂🙂🙂")).all()

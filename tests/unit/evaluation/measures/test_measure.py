import numpy as np
import pytest

from evaluation.measures import grade_matrix, registry


def test_measures_are_equal_if_their_texts_are():
    assert registry.parse("AP(rel=2)") == registry.parse("MAP( rel=2 )")
    assert registry.parse("AP") != registry.parse("AP(rel=1)")
    assert len({registry.parse("P@5"), registry.parse("P@5"), registry.parse("P@10")}) == 2


@pytest.mark.parametrize(
    ("text", "depth"), [("nDCG@10", 10), ("AP", None), ("nDCG(unjudged=condensed)@10", None), ("bpref", None)]
)
def test_it_says_how_deep_it_must_look(text, depth):
    assert registry.parse(text).depth == depth


@pytest.mark.parametrize(("text", "threshold"), [("nDCG@10", 1), ("AP(rel=2)", 2), ("RBP(p=0.8,rel=3)", 3)])
def test_it_says_from_which_grade_a_passage_is_relevant(text, threshold):
    assert registry.parse(text).threshold == threshold


def test_condensing_happens_before_the_cut():
    matrix = grade_matrix.build([["u1", "u2", "a"]], [{"a": 3}])
    assert registry.parse("nDCG@2").compute(matrix).tolist() == [0.0]
    assert registry.parse("nDCG(unjudged=condensed)@2").compute(matrix).tolist() == [1.0]


@pytest.mark.parametrize("name", list(registry.definitions()))
def test_every_measure_takes_leading_axes_and_stays_in_its_range(name):
    cutoff = "" if name == "bpref" else "@3"
    rng = np.random.default_rng(7)
    grades = rng.integers(-3, 4, size=(2, 3, 4, 5)).astype(np.int16)
    not_retrieved = rng.integers(0, 4, size=(2, 3, 4, 3)).astype(np.int16)
    judged = -np.sort(-np.concatenate([grades, not_retrieved], axis=-1), axis=-1)
    matrix = grade_matrix.GradeMatrix(grades, judged, highest=3)
    values = registry.parse(f"{name}{cutoff}").compute(matrix)
    assert values.shape == (2, 3, 4)
    assert (values >= 0).all()
    assert name == "DCG" or (values <= 1).all()

import numpy as np
import pytest

from annotate.formats import runs
from evaluation.engine import pair_index, run_index
from evaluation.measures import grade_matrix
from evaluation.measures.grade_matrix import EMPTY, JUNK, UNJUDGED

FIRST = runs.build_run("first", {"q1": {"a": 3.0, "u": 2.0, "b": 1.0}, "q2": {"a": 1.0}})
SECOND = runs.build_run("second", {"q1": {"b": 1.0}, "other": {"a": 1.0}})
QRELS = {"q1": {"a": 2, "b": 0}, "q2": {"a": 1, "junk": -2, "pooled": -1}}


def test_the_matrix_of_an_index_is_that_of_each_run():
    index = pair_index.build(run_index.build([FIRST, SECOND]), [QRELS])
    matrix = pair_index.matrix(index, pair_index.grades(index, QRELS))
    assert (index.run_tags, index.topics, len(index)) == (("first", "second"), ("q1", "q2"), 5)
    assert matrix.grades.tolist() == [[[2, UNJUDGED, 0], [1, EMPTY, EMPTY]], [[0, EMPTY, EMPTY], [EMPTY] * 3]]
    assert matrix.judged.tolist() == [[[2, 0, EMPTY], [1, EMPTY, EMPTY]]]


def test_several_vectors_give_a_matrix_with_one_more_axis():
    index = pair_index.build(run_index.build([FIRST, SECOND]), [QRELS])
    vectors = np.stack([pair_index.grades(index, qrels) for qrels in (QRELS, {"q1": {"b": 3}})])
    matrix = pair_index.matrix(index, vectors)
    assert (matrix.grades.shape, matrix.judged.shape) == ((2, 2, 2, 3), (2, 1, 2, 3))
    assert matrix.grades[1, 0].tolist() == [[UNJUDGED, UNJUDGED, 3], [UNJUDGED, EMPTY, EMPTY]]
    assert matrix.judged[1, 0].tolist() == [[3, EMPTY, EMPTY], [EMPTY] * 3]


def test_pairs_that_only_one_of_the_qrels_has_are_in_the_index_once():
    index = pair_index.build(run_index.build([FIRST]), [QRELS, {"q1": {"u": 1, "a": 1}, "q3": {"c": 1}}])
    assert index.topics == ("q1", "q2", "q3")
    assert [list(known.items()) for known in index.numbers] == [
        [("a", 0), ("b", 1), ("u", 2)],
        [("a", 3), ("junk", 4), ("pooled", 5)],
        [("c", 6)],
    ]


def test_junk_stays_junk_and_pooled_pairs_stay_holes():
    index = pair_index.build(run_index.build([]), [QRELS])
    assert pair_index.grades(index, QRELS).tolist() == [2, 0, 1, JUNK, UNJUDGED, UNJUDGED, EMPTY]
    assert pair_index.grades(index, {"q1": {"a": -7}}).tolist()[:2] == [JUNK, UNJUDGED]


def test_only_the_topics_and_ranks_asked_for_are_indexed():
    index = pair_index.build(run_index.build([FIRST, SECOND]), [QRELS], topics=["q1", "q9"], depth=2)
    assert (index.topics, len(index), index.at_ranks.shape) == (("q1", "q9"), 2, (2, 2, 2))
    assert index.at_ranks.tolist() == [[[0, 2], [3, 3]], [[1, 3], [3, 3]]]
    assert pair_index.grades(index, QRELS).tolist() == [2, 0, UNJUDGED, EMPTY]


@pytest.mark.parametrize(("runs", "qrels"), [([], [QRELS]), ([FIRST], []), ([], []), ([FIRST], [{"q1": {}}])])
def test_an_index_of_nothing_has_its_shape(runs, qrels):
    index = pair_index.build(run_index.build(runs), qrels)
    matrix = pair_index.matrix(index, pair_index.grades(index, {}))
    assert matrix.grades.shape[:2] == (len(runs), len(index.topics))


def test_a_grade_above_the_scale_and_an_unknown_pair_are_refused():
    index = pair_index.build(run_index.build([FIRST]), [QRELS])
    with pytest.raises(grade_matrix.GradeOffScale, match="grade 2 is above 1"):
        pair_index.grades(index, QRELS, highest=1)
    with pytest.raises(KeyError, match="u"):
        pair_index.grades(index, {"q1": {"u": 1}})

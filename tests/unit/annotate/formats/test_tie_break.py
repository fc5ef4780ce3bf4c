import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats import runs
from tests import hostile

rows = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from([-1.5, -0.0, 0.0, 0.1, 0.1 + 1e-17, 1e300]), hostile.ids), min_size=1
)


@given(rows)
def test_the_order_is_topic_then_score_down_then_id_bytes_down(rows):
    topics, scores, passage_ids = zip(*rows, strict=True)
    order = runs.order_rows(np.array(topics), np.array(scores), np.array(passage_ids, dtype=object))
    expected = sorted(sorted(rows, key=lambda row: row[2].encode(), reverse=True), key=lambda row: (row[0], -row[1]))
    assert [rows[place] for place in order] == expected


def test_ids_of_digits_are_compared_as_bytes():
    ids = np.array(["9", "10", "100", "\uffff", "\U0001f600"], dtype=object)
    order = runs.order_rows(np.zeros(5, dtype=int), np.zeros(5), ids)
    assert ids[order].tolist() == ["\U0001f600", "\uffff", "9", "100", "10"]


def test_scores_that_differ_only_as_doubles_are_no_tie():
    ids = np.array(["b", "a"], dtype=object)
    assert runs.order_rows(np.zeros(2, dtype=int), np.array([1.0, 1.0 + 2**-50]), ids).tolist() == [1, 0]


@given(rows, st.integers(1, 4))
def test_contenders_hold_the_top_of_every_topic_and_nothing_worse(rows, depth):
    topics, scores, passage_ids = (list(column) for column in zip(*rows, strict=True))
    found = runs.list_contenders(np.array(topics), np.array(scores), depth).tolist()
    order = runs.order_rows(np.array(topics), np.array(scores), np.array(passage_ids, dtype=object)).tolist()
    assert found == sorted(found)
    for topic in set(topics):
        ranking = [row for row in order if topics[row] == topic]
        lowest = scores[ranking[:depth][-1]]
        assert [row for row in found if topics[row] == topic] == sorted(r for r in ranking if scores[r] >= lowest)

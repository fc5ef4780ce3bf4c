"""The pool and its holes."""

import pytest

from annotate.grades import holes
from annotate.models import Pair
from annotate.pool.operations import pooling
from annotate.work.queue import CannotGoOn
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    collection = factories.make_collection()
    factories.import_text(collection, "TOPICS", "q1\tone\nq2\ttwo\n")
    factories.import_text(collection, "PASSAGES", "".join(f"d{n}\ttext\n" for n in range(9)))
    factories.import_text(collection, "RUN", "q1 Q0 d1 1 3 a\nq1 Q0 d2 2 2 a\nq1 Q0 d3 3 1 a\nq9 Q0 d8 1 1 a\n")
    factories.import_text(collection, "RUN", "q1 Q0 d3 1 9 b\nq2 Q0 d4 1 1 b\n")
    factories.import_text(collection, "RUN", "q2 Q0 d5 1 1 c\n", is_pooled=False)
    factories.import_qrels(collection, "q1 0 d1 0\nq1 0 d6 2\n")
    return collection


def pooled(collection):
    rows = collection.pairs.filter(is_pooled=True).order_by("topic__query_id", "passage_id")
    return {(pair.topic.query_id, pair.passage_id): pair.best_rank for pair in rows.select_related("topic")}


def test_it_holds_the_top_ranks_of_pooled_runs_and_what_is_judged(collection):
    factories.build_pool(collection, depth=2)
    assert pooled(collection) == {
        ("q1", "d1"): 1,
        ("q1", "d2"): 2,
        ("q1", "d3"): 1,
        ("q1", "d6"): None,
        ("q2", "d4"): 1,
    }


def test_building_it_again_changes_nothing(collection):
    factories.build_pool(collection, depth=2)
    before = pooled(collection)
    factories.build_pool(collection, depth=2)
    assert pooled(collection) == before
    assert (collection.pairs_wanted, collection.pairs_open) == (3, 3)


def test_a_shallower_pool_lets_pairs_go_but_not_their_judgments(collection):
    factories.build_pool(collection, depth=2)
    assessor = factories.make_assessor(collection)
    while factories.claim(assessor):
        factories.judge(assessor, 1)
    factories.build_pool(collection, depth=1)
    assert ("q1", "d2") not in pooled(collection)
    gone = Pair.objects.get(topic__query_id="q1", passage_id="d2")
    assert (gone.target, gone.judgments.count(), gone.consensus_grade) == (0, 1, 1)


def test_pairs_remember_the_frame_in_which_they_came(collection):
    factories.build_pool(collection, depth=1)
    factories.build_pool(collection, depth=2)
    frames = dict(collection.pairs.filter(is_pooled=True).values_list("passage_id", "frame_version"))
    assert (frames["d1"], frames["d2"]) == (1, 2)


@pytest.mark.postgresql
def test_holes_are_counted_by_topic_and_by_run(collection):
    factories.build_pool(collection, depth=2)
    assert [(t.query_id, t.pooled, t.holes) for t in holes.holes_by_topic(collection)] == [("q1", 4, 2), ("q2", 1, 1)]
    by_run = {run.run_tag: run for run in holes.holes_by_run(collection, k=2)}
    assert (by_run["a"].judged, by_run["a"].slots, by_run["a"].share) == (1, 4, 0.25)
    assert (by_run["b"].judged, by_run["b"].holes) == (0, 2)


def test_nothing_to_pool_is_said():
    empty = factories.make_collection()
    queued = pooling.request_pool(collection=empty, depth=10, by=None, now=factories.NOW)
    with pytest.raises(CannotGoOn, match="import runs or qrels first"):
        list(pooling.run(queued))


def test_a_depth_of_0_is_refused(collection):
    with pytest.raises(ValueError, match="at least 1"):
        pooling.request_pool(collection=collection, depth=0, by=None, now=factories.NOW)

"""Influence is computed in the background, and judging follows it where that was asked for."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.models import PairDraw, Work
from annotate.work import engine, queue
from evaluation.findings import influence
from tests import factories
from tests.factories import NOW
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return small.three_systems()


def request(collection, **said):
    return influence.request_influence(collection=collection, **said, by=None, now=NOW)


def through(queued):
    engine.run(engine.claim(work_id=queued.pk))
    queued.refresh_from_db()
    queued.collection.refresh_from_db()
    return queued


def test_it_is_kept_and_changes_nothing_of_the_order(collection):
    assert influence.find_influence(collection) is None
    ended = through(request(collection))
    assert (ended.state, ended.queue) == (Work.State.DONE, queue.FINDINGS)
    known = influence.find_influence(collection)
    assert [hole["passage_id"] for hole in known.value["top"]] == ["h", "x"]
    assert (known.judgments, known.is_stale) == (0, False)
    assert (collection.order, PairDraw.objects.count()) == ("TOPIC", 0)


def test_where_it_is_asked_for_people_judge_in_its_order(collection):
    ended = through(request(collection, orders=True))
    assert (ended.state, ended.queue, ended.done) == (Work.State.DONE, queue.FACTS, 4)
    assert ended.collection.order == "INFLUENCE"
    assert ended.collection.pair_draw.design["measure"] == "nDCG@10"
    assessor = factories.make_assessor(ended.collection)
    made = [factories.judge(assessor) for _ in range(4)]
    assert [(j.pair.topic.query_id, j.pair.passage_id) for j in made[:2]] == [("q1", "h"), ("q1", "x")]
    assert {(j.order, j.draw_probability) for j in made} == {("INFLUENCE", 1.0)}


def test_what_came_since_is_counted_and_computing_again_forgets_it(collection):
    through(request(collection))
    factories.judge(factories.make_assessor(collection), 2, now=timezone.now() - timedelta(seconds=5))
    known = influence.find_influence(collection)
    assert (known.judgments, known.decisions, known.is_stale) == (1, 0, True)
    through(request(collection))
    known = influence.find_influence(collection)
    assert (known.judgments, known.is_stale) == (0, False)


def test_what_waits_is_not_queued_twice(collection):
    first = request(collection)
    assert request(collection) == first
    assert request(collection, orders=True) != first
    through(first)
    assert request(collection) != first


def test_a_model_weights_it_only_where_nobody_grades_blind(collection):
    factories.import_qrels(collection, small.lines("q1 h 1, q1 x 3"), rater="gpt", kind="MODEL")
    with pytest.raises(influence.CannotWeight, match="some of them grade blind"):
        request(collection, weights="gpt")
    small.show_suggestions(collection, shown=1)
    with pytest.raises(influence.CannotWeight, match="no model rater named 'nobody'"):
        request(collection, weights="nobody")
    ended = through(request(collection, weights="gpt", orders=True))
    assert ended.state == Work.State.DONE
    assert ended.collection.pair_draw.design["is_weighted"] is True
    assert [hole["passage_id"] for hole in influence.find_influence(collection).value["top"]] == ["x", "h"]


def test_arms_that_became_blind_meanwhile_keep_the_weighted_order_out(collection):
    factories.import_qrels(collection, small.lines("q1 h 1, q1 x 3"), rater="gpt", kind="MODEL")
    small.show_suggestions(collection, shown=1)
    queued = request(collection, weights="gpt", orders=True)
    small.show_suggestions(collection, hidden=1)
    ended = through(queued)
    assert (ended.state, ended.collection.order) == (Work.State.FAILED, "TOPIC")
    assert "some of them grade blind" in ended.error


def test_a_single_run_is_a_reason_that_people_read():
    collection = small.with_qrels("q1 r 2")
    small.add_run(collection, "h>r")
    ended = through(request(collection))
    assert (ended.state, influence.find_influence(collection)) == (Work.State.FAILED, None)
    assert ended.error == "Influence is about differences between systems, so it needs two runs."

"""An order by influence, as evaluation writes it."""

import pytest

from annotate.collections.operations import collections
from annotate.draws.operations import draws
from annotate.draws.queries import Plan
from annotate.models import PairDraw
from annotate.rules import drawing, permissions
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db
VALUES = {("q1", "d1.2"): 0.1, ("q2", "d2.3"): 0.9, ("q2", "d2.1"): 0.5}
DESIGN = {"measure": "nDCG@10", "digest": "abc"}


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection(), topics=2, passages=3)


def write(collection, **said):
    steps = draws.set_order_keys(
        **{
            "collection": collection,
            "keys": drawing.order_by_value(VALUES),
            "design": DESIGN,
            "by": None,
            "now": NOW,
            **said,
        }
    )
    done = [(step.done, step.total) for step in steps]
    collection.refresh_from_db()
    return done


def judged(collection):
    assessor = factories.make_assessor(collection)
    return [factories.judge(assessor) for _ in range(6)]


def test_holes_are_judged_the_most_influential_first_and_those_without_a_figure_last(collection):
    assert write(collection)[-1] == (3, 3)
    made = judged(collection)
    assert [(j.pair.topic.query_id, j.pair.passage_id) for j in made][:3] == [
        ("q2", "d2.3"),
        ("q2", "d2.1"),
        ("q1", "d1.2"),
    ]
    assert {(j.order, j.pair_draw_id) for j in made} == {("INFLUENCE", collection.pair_draw_id)}
    assert collection.pair_draw.design == {**DESIGN, "is_weighted": False}


def test_the_order_is_in_force_before_the_first_key_is_written(collection):
    steps = draws.set_order_keys(
        collection=collection, keys=drawing.order_by_value(VALUES), design=DESIGN, by=None, now=NOW
    )
    next(steps)
    collection.refresh_from_db()
    assert collection.order == "INFLUENCE"
    steps.close()


def test_the_same_design_again_goes_on_with_the_same_draw_and_another_one_ends_it(collection):
    write(collection)
    write(collection)
    (first,) = PairDraw.objects.all()
    write(collection, design={**DESIGN, "digest": "def"})
    first.refresh_from_db()
    assert first.ended_at == NOW
    assert PairDraw.objects.count() == 2


def test_after_a_sample_all_holes_are_wanted_again(collection):
    draws.draw_sample(collection=collection, plan=Plan(number=2), by=None, now=NOW)
    write(collection)
    assert (collection.pairs_wanted, collection.pairs.filter(is_drawn=True).count()) == (6, 0)
    assert len(judged(collection)) == 6


def test_a_pair_that_comes_later_is_behind_all_others(collection):
    write(collection)
    factories.import_text(collection, "PASSAGES", "d9\tnine\n")
    factories.import_text(collection, "RUN", "q1 Q0 d9 1 9 second\n")
    factories.build_pool(collection)
    assert collection.pairs.get(passage_id="d9").order_key >= drawing.BEHIND


def test_calibration_pairs_are_mixed_in(collection):
    factories.import_qrels(collection, "q1 0 d1.1 1\n")
    draws.draw_calibration(collection=collection, number=1, seed=1, by=None, now=NOW)
    write(collection)
    assert collection.pairs.get(is_calibration=True).order_key in range(3)


@pytest.mark.postgresql
def test_weights_of_a_model_are_refused_where_somebody_grades_blind(collection):
    with pytest.raises(permissions.NotAllowed, match="what the model thinks"):
        write(collection, is_weighted=True)
    assert not PairDraw.objects.exists()
    collections.change_judging(collection=collection, changes={"share_hidden": 0, "share_shown": 100})
    collection.refresh_from_db()
    write(collection, is_weighted=True)
    assert collection.pair_draw.design["is_weighted"]

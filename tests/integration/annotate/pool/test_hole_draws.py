"""Synthetic holes: dropped grades are known to the researcher, invisible to those who judge, and can come back."""

import pytest

from annotate.grades import holes, ratings
from annotate.models import ReferenceGrade
from annotate.pool.operations import pooling
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    collection = factories.make_collection()
    factories.import_text(collection, "TOPICS", "q1\tone\n")
    factories.import_text(collection, "PASSAGES", "".join(f"d{n}\ttext\n" for n in range(40)))
    factories.import_qrels(collection, "".join(f"q1 0 d{n} {n % 4}\n" for n in range(40)))
    factories.build_pool(collection)
    return collection


def draw(collection, **changes):
    said = {"fraction": 0.5, "chosen": [1, 2, 3], "seed": 1, "by": None, "now": NOW, **changes}
    return pooling.draw_holes(collection=collection, **said)


def test_a_share_of_each_chosen_grade_is_dropped_and_becomes_a_hole(collection):
    made = draw(collection)
    collection.refresh_from_db()
    assert (made.dropped, collection.pairs_open, holes.count_holes(collection)) == (15, 15, 15)
    dropped = list(ReferenceGrade.objects.filter(dropped_by=made).values_list("grade", flat=True))
    assert sorted(dropped) == [1] * 5 + [2] * 5 + [3] * 5


def test_the_researcher_still_knows_what_was_dropped(collection):
    draw(collection)
    kept = ratings.reference_grades(collection.reference_rater)
    dropped = ratings.dropped_grades(collection)
    assert (len(kept), len(dropped)) == (25, 15)
    assert ratings.reference_grades(collection.reference_rater, with_dropped=True) == kept | dropped


def test_taking_it_back_closes_the_holes_again_and_keeps_what_was_judged(collection):
    draw(collection)
    judgment = factories.judge(factories.make_assessor(collection), 2)
    pooling.undo_draw(collection=collection, now=NOW)
    collection.refresh_from_db()
    assert (collection.pairs_wanted, holes.count_holes(collection)) == (0, 0)
    judgment.refresh_from_db()
    assert judgment.is_current


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"fraction": 0}, "above 0"),
        ({"fraction": 1.5}, "at most 1"),
        ({"chosen": [4]}, "off it: \\[4\\]"),
        ({"chosen": []}, "none chosen"),
        ({"fraction": 0.01}, "nothing to drop"),
    ],
)
def test_what_cannot_be_drawn_is_said(collection, changes, sentence):
    with pytest.raises(pooling.CannotDraw, match=sentence):
        draw(collection, **changes)
    assert not ReferenceGrade.objects.filter(dropped_by__isnull=False).exists()


def test_one_draw_is_in_force_at_a_time(collection):
    draw(collection)
    with pytest.raises(pooling.CannotDraw, match="drawn already"):
        draw(collection, seed=2)


def test_without_a_reference_there_is_nothing_to_draw():
    with pytest.raises(pooling.CannotDraw, match="no reference rater"):
        draw(factories.make_collection())

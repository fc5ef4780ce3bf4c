"""Reference pairs that people judge again, blind."""

import pytest

from annotate.draws.operations import draws
from annotate.draws.queries import Plan
from annotate.models import PairDraw
from annotate.pool.operations import pooling
from annotate.rules import drawing
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    """One topic of twelve passages: nine graded 0, 1 or 2, three holes."""
    made = factories.make_holes(factories.make_collection(), topics=1, passages=12)
    factories.build_pool(made, depth=12)
    factories.import_qrels(made, "".join(f"q1 0 d1.{n} {n % 3}\n" for n in range(1, 10)))
    return made


def draw(collection, number=1, seed=1):
    made = draws.draw_calibration(collection=collection, number=number, seed=seed, by=None, now=NOW)
    collection.refresh_from_db()
    return made


def marked(collection):
    return set(collection.pairs.filter(is_calibration=True).values_list("passage_id", flat=True))


def test_so_many_pairs_of_each_reference_grade_are_asked_about_again(collection):
    made = draw(collection, number=2)
    assert [(g["grade"], g["frame"], len(g["pairs"])) for g in made.design["grades"]] == [
        (0, 3, 2),
        (1, 3, 2),
        (2, 3, 2),
    ]
    assert (made.size, len(marked(collection)), collection.pairs_wanted) == (6, 6, 9)
    assert all(pair.is_reference_closed for pair in collection.pairs.filter(is_calibration=True))


def test_their_judgments_are_marked_and_the_reference_keeps_its_grade(collection):
    draw(collection, number=3)
    assessor = factories.make_assessor(collection)
    judged = [factories.judge(assessor) for _ in range(12)]
    assert sum(judgment.is_calibration for judgment in judged) == 9
    assert {judgment.arm for judgment in judged if judgment.is_calibration} == {"HIDDEN"}


def test_ending_it_asks_no_more_and_keeps_what_was_judged(collection):
    made = draw(collection, number=3)
    assessor = factories.make_assessor(collection)
    judged = [factories.judge(assessor) for _ in range(8)]
    done = {judgment.pair.passage_id for judgment in judged if judgment.is_calibration}
    ended = draws.end_calibration(collection=collection, now=NOW)
    collection.refresh_from_db()
    assert (ended, ended.ended_at) == (made, NOW)
    assert marked(collection) == done
    assert collection.pairs_open == 12 - 8 - (9 - len(done))
    with pytest.raises(drawing.CannotDraw, match=draws.NONE_MIXED_IN):
        draws.end_calibration(collection=collection, now=NOW)


def test_a_new_draw_ends_the_one_before(collection):
    first = draw(collection, seed=1)
    second = draw(collection, seed=2, number=2)
    first.refresh_from_db()
    assert (first.ended_at, PairDraw.objects.get(ended_at=None)) == (NOW, second)
    assert len(marked(collection)) == 6


def test_dropped_grades_are_no_reference_grades(collection):
    pooling.draw_holes(collection=collection, fraction=1, chosen=[2], seed=1, by=None, now=NOW)
    collection.refresh_from_db()
    assert [g["grade"] for g in draw(collection, number=3).design["grades"]] == [0, 1]


@pytest.mark.parametrize("is_sampled_first", [True, False])
def test_beside_a_sample_they_are_mixed_in_among_its_places(collection, is_sampled_first):
    steps = [
        lambda: draws.draw_sample(collection=collection, plan=Plan(number=3, depth=12), by=None, now=NOW),
        lambda: draw(collection, number=3),
    ]
    for step in steps if is_sampled_first else reversed(steps):
        step()
    keys = collection.pairs.filter(is_calibration=True).values_list("order_key", flat=True)
    assert set(keys) <= {0, 1, 2}
    assert len(set(keys)) > 1
    assert collection.pairs.filter(target__gt=0).count() == 12


@pytest.mark.parametrize(
    ("said", "sentence"), [({"number": 0}, "Between 1 and 500"), ({"number": 501}, "500"), ({"seed": 2**63}, "63 bits")]
)
def test_what_can_never_be_drawn_is_a_bad_value(collection, said, sentence):
    with pytest.raises(drawing.BadValue, match=sentence):
        draw(collection, **said)


@pytest.mark.postgresql
def test_without_reference_grades_nothing_is_mixed_in():
    with pytest.raises(drawing.CannotDraw, match="nothing to mix in"):
        draw(factories.make_holes(factories.make_collection()))

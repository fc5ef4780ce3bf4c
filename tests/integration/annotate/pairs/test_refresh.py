"""Changes that all pairs follow: at once in a small collection, in the background and to the end in a large one."""

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from annotate.collections.operations import collections
from annotate.grades import ratings
from annotate.models import Collection, HoleDraw, Pair, Work
from annotate.pairs import refresh
from annotate.pool.operations import pooling
from annotate.rules import drawing
from annotate.work import engine
from tests import factories, visitors
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection(monkeypatch):
    """Six pairs, which are too many to follow at once; two go in a batch."""
    made = factories.make_holes(factories.make_collection(), topics=2, passages=3)
    factories.import_qrels(made, "q1 0 d1.1 3\nq1 0 d1.2 3\nq2 0 d2.1 3\n")
    monkeypatch.setattr(refresh, "AT_ONCE", 5)
    monkeypatch.setattr(refresh, "BATCH", 2)
    return made


def change(collection, **changes):
    collections.change_judging(collection=collection, changes=changes)


def draw(collection):
    return pooling.draw_holes(collection=collection, fraction=1, chosen=[3], seed=1, by=None, now=NOW)


def targets(collection):
    return list(collection.pairs.order_by("pk").values_list("target", flat=True))


def check_counters(collection):
    collection.refresh_from_db()
    wanted = collection.pairs.filter(target__gt=0)
    assert collection.pairs_wanted == wanted.count()
    assert collection.pairs_open == sum(pair.counted < pair.target for pair in wanted)


def test_as_many_pairs_as_may_follow_at_once(collection, monkeypatch):
    monkeypatch.setattr(refresh, "AT_ONCE", 6)
    change(collection, target=3)
    assert not Work.objects.filter(kind=refresh.REFRESH).exists()
    assert sorted(targets(collection)) == [0, 0, 0, 3, 3, 3]
    check_counters(collection)


@pytest.mark.postgresql
def test_many_pairs_follow_a_new_target_and_order_in_the_background(collection):
    change(collection, target=3, order="RANDOM")
    collection.refresh_from_db()
    assert collection.target == 3
    assert sorted(targets(collection)) == [0, 0, 0, 1, 1, 1]
    engine.run_waiting()
    assert sorted(targets(collection)) == [0, 0, 0, 3, 3, 3]
    for pair in collection.pairs.select_related("topic"):
        assert pair.order_key == drawing.order_key("RANDOM", collection.seed, pair.topic.query_id, pair.passage_id)
    check_counters(collection)


def test_the_change_itself_costs_a_few_statements_however_many_pairs_there_are(
    collection, django_assert_max_num_queries
):
    with django_assert_max_num_queries(12):
        change(collection, target=3)


def test_a_pair_that_is_judged_before_its_turn_follows_already(collection):
    assessor = factories.make_assessor(collection)
    change(collection, target=2)
    judged = factories.judge(assessor).pair
    judged.refresh_from_db()
    assert (judged.target, judged.counted) == (2, 1)
    engine.run_waiting()
    check_counters(collection)
    assert sorted(targets(collection)) == [0, 0, 0, 2, 2, 2]


def test_after_a_crash_in_the_middle_the_rest_follows(collection):
    change(collection, target=3)
    queued = refresh.unfinished_work(collection)
    leased = engine.claim(work_id=queued.pk)
    engine._move(leased, next(refresh.run(leased)))
    assert targets(collection).count(3) < 3
    Work.objects.filter(pk=queued.pk).update(lease_until=NOW)
    engine.run_waiting()
    queued.refresh_from_db()
    assert (queued.state, queued.done, queued.total) == ("DONE", 6, 6)
    assert sorted(targets(collection)) == [0, 0, 0, 3, 3, 3]
    check_counters(collection)


def test_work_that_was_queued_for_an_earlier_change_follows_the_newest(collection):
    change(collection, target=3)
    change(collection, target=2)
    engine.run(engine.claim())
    assert sorted(targets(collection)) == [0, 0, 0, 2, 2, 2]


def test_no_batch_holds_the_lock_for_all_pairs(collection):
    change(collection, target=3)
    steps = refresh.run(engine.claim())
    assert [step.done for step in steps] == [2, 4, 6]


def test_a_large_draw_drops_its_grades_at_once_and_its_pairs_become_holes_in_the_background(collection):
    made = draw(collection)
    assert made.dropped == len(ratings.dropped_grades(collection)) == 3
    assert Pair.objects.filter(is_reference_closed=True).count() == 3
    engine.run_waiting()
    assert not Pair.objects.filter(is_reference_closed=True).exists()
    pooling.undo_draw(collection=collection, now=NOW)
    assert not ratings.dropped_grades(collection)
    engine.run_waiting()
    assert Pair.objects.filter(is_reference_closed=True).count() == 3
    check_counters(collection)


@pytest.mark.postgresql
def test_a_draw_from_grades_that_change_meanwhile_is_refused(collection, monkeypatch):
    grades = ratings.reference_grades

    def grades_and_an_import(rater, **said):
        found = grades(rater, **said)
        factories.import_qrels(collection, "q2 0 d2.2 3\n")
        return found

    monkeypatch.setattr(ratings, "reference_grades", grades_and_an_import)
    with pytest.raises(pooling.CannotDraw, match="came or went just now"):
        draw(collection)
    assert not HoleDraw.objects.exists()


@pytest.mark.postgresql
def test_the_command_waits_until_the_pairs_follow(collection, capsys):
    call_command("make_holes", "--collection", collection.slug, "--fraction", "1", "--grades", "3")
    assert not Pair.objects.filter(is_reference_closed=True).exists()
    call_command("make_holes", "--collection", collection.slug, "--undo")
    assert Pair.objects.filter(is_reference_closed=True).count() == 3


@pytest.mark.parametrize("seed", [2**63, -(2**63) - 1])
def test_a_seed_that_no_row_can_hold_is_refused(collection, seed):
    with pytest.raises(pooling.CannotDraw, match="63 bits"):
        pooling.draw_holes(collection=collection, fraction=1, chosen=[3], seed=seed, by=None, now=timezone.now())


@pytest.mark.parametrize("page", ["judging_settings", "pool"])
def test_the_pages_show_how_far_the_pairs_are_until_they_follow(collection, page):
    visitor = visitors.researcher(collection)
    change(collection, target=3)
    sentence = "pairs after the change of settings: waiting"
    assert sentence in visitors.words(visitor.get(reverse(page, args=[collection.slug])))
    engine.run_waiting()
    assert "pairs after the change" not in visitors.words(visitor.get(reverse(page, args=[collection.slug])))


def test_the_settings_of_another_collection_stay(collection):
    other = factories.make_holes(factories.make_collection("other"), topics=1, passages=1)
    change(collection, target=3)
    engine.run_waiting()
    assert targets(other) == [1]
    assert Collection.objects.get(pk=other.pk).pairs_open == 1

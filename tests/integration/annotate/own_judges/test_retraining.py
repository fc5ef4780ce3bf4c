"""Versions that nobody asks for: at the right moment, one at a time, and never shown unless the collection says so."""

import pytest

from annotate.collections.operations import collections
from annotate.grades import model_raters
from annotate.models import Batch, Collection, Rater, Suggestion, Work
from annotate.own_judges.operations import requests
from annotate.pool.operations import pooling
from annotate.work import engine, queue
from tests import at_once, factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    """24 pooled pairs, 18 of them judged; a version retires after 3 new grades."""
    made = factories.make_holes(factories.make_collection(retrains_after=3), topics=3, passages=8)
    factories.import_qrels(made, "".join(f"q{t} 0 d{t}.{p} {p % 4}\n" for t in (1, 2, 3) for p in range(1, 7)))
    return made


def ask(collection, *models):
    batch = requests.request_version(collection=collection, models=models, by=None, now=NOW)
    engine.run_waiting()
    return batch.rater


def judge(collection, pairs):
    assessor = factories.make_assessor(collection)
    for _ in range(pairs):
        factories.judge(assessor, 3)


def waiting():
    return list(Work.objects.filter(kind=requests.RETRAIN).order_by("pk"))


def names(collection):
    return [version.name for version in model_raters.list_versions(collection)]


def test_enough_new_grades_line_up_one_successor(collection):
    ask(collection)
    judge(collection, 2)
    requests.enqueue_due(NOW)
    assert waiting() == []

    judge(collection, 1)
    requests.enqueue_due(NOW)
    requests.enqueue_due(NOW)
    assert [queued.subject for queued in waiting()] == ["successor of learned-1"]
    engine.run_waiting()
    requests.enqueue_due(NOW)
    assert names(collection) == ["learned-2", "learned-1"]
    assert len(waiting()) == 1
    newest = model_raters.list_versions(collection).first()
    assert newest.parameters["grades"] == 21
    assert Suggestion.objects.filter(rater=newest).count() == 24


def test_a_successor_learns_from_the_same_models_in_the_same_way(collection):
    model = factories.make_suggestions(collection, grade=2, rater="gpt")
    requests.request_version(collection=collection, models=[model], may_carry_over=True, by=None, now=NOW)
    engine.run_waiting()
    judge(collection, 3)
    requests.enqueue_due(NOW)
    engine.run_waiting()

    newest = model_raters.list_versions(collection).first()
    assert newest.name == "calibrated-2"
    assert [taught["name"] for taught in newest.parameters["models"]] == ["gpt"]
    assert newest.parameters["may_carry_over"] is True


def test_many_known_grades_ask_for_more_new_ones(collection, monkeypatch):
    monkeypatch.setattr(requests, "KNOWN_FOR_ONE", 3)
    ask(collection)
    judge(collection, 5)
    requests.enqueue_due(NOW)
    assert waiting() == []
    judge(collection, 1)
    requests.enqueue_due(NOW)
    assert len(waiting()) == 1


def test_grades_that_a_draw_of_holes_took_away_count_as_news(collection):
    ask(collection)
    pooling.draw_holes(collection=collection, fraction=0.5, chosen=[0, 1, 2, 3], seed=1, by=None, now=NOW)
    requests.enqueue_due(NOW)
    engine.run_waiting()
    assert names(collection) == ["learned-2", "learned-1"]


def test_a_look_that_came_to_nothing_is_not_repeated_until_more_came(collection):
    first = ask(collection)
    Rater.objects.filter(pk=first.pk).update(parameters={**first.parameters, "judged_pairs": 0, "grades": 0})
    requests.enqueue_due(NOW)
    engine.run_waiting()
    assert "nothing has changed since" in waiting()[0].note
    requests.enqueue_due(NOW)
    assert len(waiting()) == 1


def test_where_nobody_started_a_version_or_the_collection_says_never_none_is_lined_up(collection):
    judge(collection, 3)
    requests.enqueue_due(NOW)
    ask(collection)
    Collection.objects.update(retrains_after=0)
    judge(collection, 3)
    requests.enqueue_due(NOW)
    assert waiting() == []


@pytest.mark.parametrize(("follows", "shown"), [(False, "learned-1"), (True, "learned-2")])
def test_assessors_go_on_to_see_their_version_unless_the_collection_follows_the_newest(collection, follows, shown):
    Collection.objects.update(suggesting_rater=ask(collection), suggests_newest=follows)
    judge(collection, 3)
    requests.enqueue_due(NOW)
    engine.run_waiting()
    collection.refresh_from_db()
    assert collection.suggesting_rater.name == shown


@pytest.mark.postgresql
def test_an_older_version_that_ends_after_a_newer_one_does_not_take_its_place(collection):
    Collection.objects.update(suggesting_rater=ask(collection), suggests_newest=True)
    judge(collection, 3)
    older = requests.request_version(collection=collection, by=None, now=NOW)
    queue.stop(work=older.work)
    judge(collection, 3)
    newer = ask(collection)
    queue.resume(work=older.work)
    engine.run_waiting()
    older.refresh_from_db()
    collection.refresh_from_db()
    assert older.finished_at is not None
    assert collection.suggesting_rater == newer


@pytest.mark.postgresql
def test_a_version_that_nobody_asked_for_is_not_shown_where_no_model_is(collection):
    ask(collection)
    collections.change_judging(collection=collection, changes={"suggesting_rater": None, "suggests_newest": True})
    judge(collection, 3)
    requests.enqueue_due(NOW)
    engine.run_waiting()
    collection.refresh_from_db()
    assert names(collection)[0] == "learned-2"
    assert collection.suggesting_rater is None


def test_a_model_of_others_keeps_its_place_from_successors(collection):
    ask(collection)
    other = factories.make_suggestions(collection, rater="gpt")
    Collection.objects.update(suggests_newest=True)
    judge(collection, 3)
    requests.enqueue_due(NOW)
    engine.run_waiting()
    collection.refresh_from_db()
    assert collection.suggesting_rater == other


def ended(collection, model):
    """A batch of questions to a language model that is over."""
    return Batch.objects.create(collection=collection, rater=model, judge="anthropic", created_at=NOW, finished_at=NOW)


@pytest.mark.postgresql
def test_a_language_model_s_batch_is_followed_by_a_calibrated_version(collection):
    model = factories.make_suggestions(collection, grade=2, rater="gpt")
    requests.calibrate_on_batch(ended(collection, model), NOW)
    engine.run_waiting()
    assert names(collection) == ["calibrated-1"]
    assert Suggestion.objects.filter(rater__name="calibrated-1").count() == 24


def test_a_version_on_several_models_stays_one_when_one_of_them_answers_more(collection):
    models = [factories.make_suggestions(collection, grade=grade, rater=f"m{grade}") for grade in (1, 2)]
    ask(collection, *models)
    judge(collection, 1)
    requests.calibrate_on_batch(ended(collection, models[0]), NOW)
    engine.run_waiting()
    taught = model_raters.list_versions(collection).first().parameters["models"]
    assert [model["name"] for model in taught] == ["m1", "m2"]


@pytest.mark.parametrize("case", ["unwanted", "cancelled", "no holes", "too few grades"])
def test_a_batch_that_teaches_nothing_of_holes_is_followed_by_none(collection, case):
    model = factories.make_suggestions(collection, grade=2, rater="gpt")
    batch = ended(collection, model)
    if case == "unwanted":
        Collection.objects.update(calibrates_models=False)
    if case == "cancelled":
        batch.cancelled_at = NOW
    if case == "no holes":
        Suggestion.objects.filter(pair__is_reference_closed=False).delete()
    if case == "too few grades":
        collection.pairs.update(is_reference_closed=False)
    requests.calibrate_on_batch(batch, NOW)
    assert waiting() == []


def test_a_worker_that_died_after_the_request_asks_for_no_second_version(collection):
    ask(collection)
    judge(collection, 3)
    requests.enqueue_due(NOW)
    (queued,) = waiting()
    leased = engine.claim(work_id=queued.pk)
    next(requests.run_retraining(leased))
    Work.objects.filter(pk=queued.pk).update(lease_until=NOW)
    engine.run_waiting()
    assert names(collection) == ["learned-2", "learned-1"]
    assert Batch.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_workers_that_look_at_once_line_up_one_successor(collection):
    ask(collection)
    judge(collection, 3)
    _, faults = at_once.run(requests.enqueue_due, [NOW, NOW])
    assert faults == []
    assert len(waiting()) == 1

"""Suggestions of the learned judge: a version of their own, resumable, and never learned from what is hidden."""

import pytest

from annotate.imports.operations import withdrawals
from annotate.models import Pair, Suggestion, Work
from annotate.own_judges import queries as own_judges_queries
from annotate.own_judges.operations import predictions, requests
from annotate.pool.operations import pooling
from annotate.work import engine
from tests import factories
from tests.factories import NOW

pytestmark = pytest.mark.django_db


def graded(topics=3, passages=8, grades=6):
    collection = factories.make_holes(factories.make_collection(), topics, passages)
    numbers = range(1, topics + 1)
    lines = [f"q{t} 0 d{t}.{p} {p % 4}\n" for t in numbers for p in range(1, grades + 1)]
    factories.import_qrels(collection, "".join(lines))
    return collection


def request(collection):
    return requests.request_version(collection=collection, by=None, now=NOW)


def run(batch):
    engine.run(engine.claim(work_id=batch.work_id))
    return Work.objects.get(pk=batch.work_id)


def test_every_pooled_pair_gets_a_grade_with_probabilities_and_a_reason():
    collection = graded()
    assert run(request(collection)).state == "DONE"
    said = Suggestion.objects.filter(rater__name="learned-1")
    assert said.count() == Pair.objects.filter(is_pooled=True).count() == 24
    assert all(abs(sum(one.probabilities) - 1) < 1e-5 and one.reason and one.grade in range(4) for one in said)


def test_dropped_grades_teach_nothing():
    collection = graded()
    pooling.draw_holes(collection=collection, fraction=0.5, chosen=[0, 1, 2, 3], seed=1, by=None, now=NOW)
    dropped = set(collection.hole_draws.get().dropped_grades.values_list("pair__passage_id", flat=True))
    assert len(dropped) > 0
    assert not dropped & {passage_id for _, passage_id in own_judges_queries.list_training_grades(collection)}


def test_peoples_consensus_teaches_beside_the_reference():
    collection = graded()
    before = len(own_judges_queries.list_training_grades(collection))
    factories.judge(factories.make_assessor(collection), 3)
    assert len(own_judges_queries.list_training_grades(collection)) == before + 1


def test_new_grades_make_a_new_version_and_the_same_ones_none():
    collection = graded()
    run(request(collection))
    with pytest.raises(requests.NothingToDo, match="nothing has changed since"):
        request(collection)
    factories.judge(factories.make_assessor(collection), 3)
    assert request(collection).rater.name == "learned-2"


def test_too_few_grades_are_said_in_words():
    ended = run(request(graded(topics=1, grades=3)))
    assert ended.state == "FAILED"
    assert "unexpected" not in ended.error
    assert "10" in ended.error


def test_judged_pairs_without_a_text_are_left_out_and_counted():
    collection = graded()
    factories.import_qrels(collection, "q1 0 no-text 2\nq2 0 no-text 3\n", rater="nist")
    assert len(own_judges_queries.list_training_grades(collection)) == 18
    batch = request(collection)
    assert batch.note == "Judged pairs without a passage text, which teach nothing: 2."
    assert batch.rater.parameters["grades"] == 18
    assert run(batch).state == "DONE"
    assert Suggestion.objects.count() == 24


def test_grades_of_which_no_text_is_left_are_no_grades_to_learn_from():
    collection = factories.make_collection()
    factories.import_text(collection, "TOPICS", "q1\twhat is a hole\n")
    factories.import_qrels(collection, "".join(f"q1 0 d{p} {p % 4}\n" for p in range(12)))
    with pytest.raises(requests.NothingToDo, match="none of the 12 judged pairs has a passage text"):
        request(collection)


def test_passages_that_are_withdrawn_after_the_request_teach_nothing():
    collection = graded()
    late = factories.import_text(collection, "PASSAGES", "late\tcame late\n")
    factories.import_qrels(collection, "q1 0 late 2\n")
    batch = request(collection)
    assert batch.rater.parameters["grades"] == 19
    queued = withdrawals.request_withdrawal(imported=late, by=None, now=NOW)
    engine.run(engine.claim(work_id=queued.pk))
    assert run(batch).state == "DONE"


def test_passages_that_come_while_the_judge_trains_are_left_to_the_next_version():
    collection = graded()
    factories.import_text(collection, "RUN", "q1 Q0 late 1 5.0 second\n")
    factories.build_pool(collection)
    batch = request(collection)
    steps = predictions.run_batch(engine.claim(work_id=batch.work_id))
    while next(steps).note != "trained; now predicting":
        pass
    factories.import_text(collection, "PASSAGES", "late\tcame late\n")
    assert len(list(steps)) > 0
    assert Suggestion.objects.count() == 24


def test_a_batch_that_died_goes_on_and_does_no_pair_twice(monkeypatch):
    monkeypatch.setattr(predictions, "SLICE", 5)
    collection = graded()
    batch = request(collection)
    leased = engine.claim(work_id=batch.work_id)
    steps = predictions.run_batch(leased)
    while Suggestion.objects.count() < 10:
        engine._move(leased, next(steps))
    half = dict(Suggestion.objects.values_list("pk", "probabilities"))
    factories.judge(factories.make_assessor(collection), 3)  # people go on meanwhile
    Work.objects.update(lease_until=NOW)
    assert run(batch).state == "DONE"
    assert Suggestion.objects.count() == 24
    assert {pk: Suggestion.objects.get(pk=pk).probabilities for pk in half} == half


def test_no_model_is_shown_until_the_researcher_chooses_it():
    collection = graded()
    run(request(collection))
    collection.refresh_from_db()
    assert collection.suggesting_rater is None

"""A finding is kept while the facts are the same, and never longer."""

import uuid

import pytest

from annotate.formats.predictions import Prediction
from annotate.imports.operations import predictions, withdrawals
from annotate.judging.operations import judgments, turns
from annotate.models import Collection, ImportedFile, Pair, Rater
from annotate.pool.operations import pooling
from annotate.rules import completion
from annotate.work import engine
from evaluation.findings.leaderboard import scores
from evaluation.inputs import facts
from tests import factories
from tests.factories import NOW
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
RULE = completion.parse_rule("reference,adjudicated,people,model:gpt")


@pytest.fixture
def collection():
    collection = small.with_qrels("q1 d1 3, q1 d2 0, q1 d3 1", "q1 d9 2")
    small.add_run(collection, "d1>d2>d4>d5")
    return collection


def graded(collection):
    """How many grades there are by the finding that may be kept; it must equal one made anew."""
    collection.refresh_from_db()
    kept = scores.compute_leaderboard(collection, RULE, ["nDCG@10"])
    scores._leaderboard.cache_clear()
    facts._complete_qrels.cache_clear()
    anew = scores.compute_leaderboard(collection, RULE, ["nDCG@10"])
    assert (kept.graded, kept.graded_by_models) == (anew.graded, anew.graded_by_models)
    assert [s.by_measure["nDCG@10"].mean for s in kept.systems] == [s.by_measure["nDCG@10"].mean for s in anew.systems]
    return kept.graded


def test_the_same_facts_are_computed_once(collection):
    first = scores.compute_leaderboard(collection, RULE, ["nDCG@10"])
    assert scores.compute_leaderboard(collection, RULE, ["nDCG@10"]) is first


def test_an_import_is_seen(collection):
    assert graded(collection) == 4
    factories.import_qrels(collection, small.lines("q2 d1 1"))
    assert graded(collection) == 5


def test_a_run_that_comes_and_goes_is_seen(collection):
    graded(collection)
    small.add_run(collection, "d2>d1")
    assert len(scores.compute_leaderboard(collection, RULE, ["nDCG@10"]).systems) == 2
    withdraw(ImportedFile.objects.filter(kind="RUN").latest("pk"))
    assert len(scores.compute_leaderboard(collection, RULE, ["nDCG@10"]).systems) == 1


def test_a_withdrawn_import_is_seen(collection):
    graded(collection)
    withdraw(ImportedFile.objects.get(kind="QRELS", options__rater="gpt"))
    assert graded(collection) == 3


def test_a_draw_of_holes_and_its_end_are_seen(collection):
    graded(collection)
    for grade in (0, 3):
        pooling.draw_holes(collection=collection, fraction=1, chosen=[grade], seed=1, by=None, now=NOW)
        assert graded(collection) == 3
        pooling.undo_draw(collection=collection, now=NOW)
        assert graded(collection) == 4


def test_judgments_and_what_is_decided_after_a_reveal_are_seen(collection):
    factories.import_text(collection, "PASSAGES", "d4\tfour\nd5\tfive\n")
    factories.build_pool(collection)
    factories.import_qrels(collection, small.lines("q1 d4 0, q1 d5 0, q2 d4 0, q2 d5 0"), rater="shown", kind="MODEL")
    collection.suggesting_rater = Rater.objects.get(collection=collection, name="shown")
    collection.save()
    small.show_suggestions(collection, reveal=1)
    assessor = factories.make_assessor(collection)
    before = graded(collection)
    judgment = factories.judge(assessor, 3)
    assert graded(collection) == before + 1
    first = scores.compute_leaderboard(collection, RULE, ["nDCG@10"]).systems[0].by_measure["nDCG@10"].mean
    small.decide(assessor, judgment, 0)
    graded(collection)
    assert scores.compute_leaderboard(collection, RULE, ["nDCG@10"]).systems[0].by_measure["nDCG@10"].mean != first


@pytest.mark.postgresql
def test_an_answer_that_is_given_anew_is_seen(collection):
    pooled(collection, "d4>d5", "d4")
    factories.import_text(collection, "PASSAGES", "d4\tfour\nd5\tfive\n")
    factories.build_pool(collection)
    assessor = factories.make_assessor(collection)
    stamps = [facts.fingerprint(collection, ())]
    judgment = factories.judge(assessor, 1)
    for grade in (2, None, 1):
        stamps.append(facts.fingerprint(collection, ()))
        answer = judgments.Answer(grade=grade, reason="" if grade is not None else "not readable")
        judgment = turns.change(
            assessor=assessor, judgment_id=judgment.pk, key=uuid.uuid4(), answer=answer, now=NOW, claims_next=False
        ).judgment
    stamps.append(facts.fingerprint(collection, ()))
    assert len(set(stamps)) == 5


def test_no_judgment_is_read_to_tell_whether_facts_have_changed(collection, django_assert_num_queries):
    """Many judgments would make each page slow."""
    with django_assert_num_queries(5) as asked:
        facts.fingerprint(collection, ())
    of_judgments = [query["sql"] for query in asked.captured_queries if 'FROM "annotate_judgment"' in query["sql"]]
    assert [("SUM(" in sql, "decided_at" in sql) for sql in of_judgments] == [(False, True)]


def test_answers_of_a_model_are_seen_as_they_come(collection):
    Rater.objects.filter(name="gpt").update(name="imported")
    upload(collection, "d1")
    before = graded(collection)
    upload(collection, "d9")
    assert graded(collection) == before + 1


def test_adjudications_are_seen_as_they_are_made_changed_and_taken_for_impossible(collection):
    (pair,) = pooled(collection, "d4>d1", "d4")
    before = graded(collection)
    stamps = [facts.fingerprint(collection, ())]
    for decision, more in ((2, 1), (2, 1), (0, 1), (None, 0)):
        factories.decide(pair, decision)
        assert graded(collection) == before + more
        stamps.append(facts.fingerprint(collection, ()))
    assert len(set(stamps)) == len(stamps)


def test_near_duplicates_are_seen_while_the_collection_propagates(collection):
    leader, other, *followers = pooled(collection, "d1>d2>d4>d5>d6>d7", "d4", "d5", "d6", "d7")
    factories.decide(leader, 3)
    before = graded(collection)
    Pair.objects.filter(pk=followers[0].pk).update(duplicate_of=leader)
    assert graded(collection) == before
    Collection.objects.filter(pk=collection.pk).update(propagates_duplicates=True)
    assert graded(collection) == before + 1
    Pair.objects.filter(pk=followers[1].pk).update(duplicate_of=leader)
    assert graded(collection) == before + 2
    Pair.objects.filter(pk=followers[1].pk).update(duplicate_of=other)
    assert graded(collection) == before + 1


def test_near_duplicates_that_exchange_what_they_follow_are_seen(collection):
    leaders, followers = (found := pooled(collection, "d1>d2>d4>d5>d6>d7", "d4", "d5", "d6", "d7"))[:2], found[2:]
    Collection.objects.filter(pk=collection.pk).update(propagates_duplicates=True)
    collection.refresh_from_db()
    stamps = set()
    for order in (leaders, leaders[::-1]):
        for follower, leader in zip(followers, order, strict=True):
            Pair.objects.filter(pk=follower.pk).update(duplicate_of=leader)
        stamps.add(facts.fingerprint(collection, ()))
    assert len(stamps) == 2


def pooled(collection, run, *passage_ids):
    small.add_run(collection, run)
    factories.build_pool(collection)
    return [Pair.objects.get(collection=collection, topic__query_id="q1", passage_id=name) for name in passage_ids]


def upload(collection, passage_id):
    said = Prediction(line=1, query_id="q1", passage_id=passage_id, grade=1, answer="1")
    predictions.upload_predictions(collection=collection, rater="gpt", predictions=[said], by=None, now=NOW)


def withdraw(imported):
    queued = withdrawals.request_withdrawal(imported=imported, by=None, now=NOW)
    engine.run(engine.claim(work_id=queued.pk))

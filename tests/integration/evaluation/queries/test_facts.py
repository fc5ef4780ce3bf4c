"""A finding is kept while the facts are the same, and never longer."""

import pytest

from annotate import work
from annotate.models import ImportedFile, Rater
from annotate.operations import hole_drawing, uploading_predictions, withdrawing
from annotate.rules import completion
from annotate.trec.predictions import Prediction
from evaluation.queries import scores
from tests import factories
from tests.factories import NOW
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
RULE = completion.parse("reference,people,model:gpt")


@pytest.fixture
def collection():
    collection = small.with_qrels("q1 d1 3, q1 d2 0, q1 d3 1", "q1 d9 2")
    small.add_run(collection, "d1>d2>d4>d5")
    return collection


def graded(collection):
    """How many grades there are by the finding that may be kept; it must equal one made anew."""
    collection.refresh_from_db()
    kept = scores.leaderboard(collection, RULE, ["nDCG@10"])
    scores._leaderboard.cache_clear()
    anew = scores.leaderboard(collection, RULE, ["nDCG@10"])
    assert (kept.graded, kept.graded_by_models) == (anew.graded, anew.graded_by_models)
    assert [s.by_measure["nDCG@10"].mean for s in kept.systems] == [s.by_measure["nDCG@10"].mean for s in anew.systems]
    return kept.graded


def test_the_same_facts_are_computed_once(collection):
    first = scores.leaderboard(collection, RULE, ["nDCG@10"])
    assert scores.leaderboard(collection, RULE, ["nDCG@10"]) is first


def test_an_import_is_seen(collection):
    assert graded(collection) == 4
    factories.import_qrels(collection, small.lines("q2 d1 1"))
    assert graded(collection) == 5


def test_a_run_that_comes_and_goes_is_seen(collection):
    graded(collection)
    small.add_run(collection, "d2>d1")
    assert len(scores.leaderboard(collection, RULE, ["nDCG@10"]).systems) == 2
    withdraw(ImportedFile.objects.filter(kind="RUN").latest("pk"))
    assert len(scores.leaderboard(collection, RULE, ["nDCG@10"]).systems) == 1


def test_a_withdrawn_import_is_seen(collection):
    graded(collection)
    withdraw(ImportedFile.objects.get(kind="QRELS", options__rater="gpt"))
    assert graded(collection) == 3


def test_a_draw_of_holes_and_its_end_are_seen(collection):
    graded(collection)
    for grade in (0, 3):
        hole_drawing.draw_holes(collection=collection, fraction=1, chosen=[grade], seed=1, by=None, now=NOW)
        assert graded(collection) == 3
        hole_drawing.undo_draw(collection=collection, now=NOW)
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
    first = scores.leaderboard(collection, RULE, ["nDCG@10"]).systems[0].by_measure["nDCG@10"].mean
    small.decide(assessor, judgment, 0)
    graded(collection)
    assert scores.leaderboard(collection, RULE, ["nDCG@10"]).systems[0].by_measure["nDCG@10"].mean != first


def test_answers_of_a_model_are_seen_as_they_come(collection):
    Rater.objects.filter(name="gpt").update(name="imported")
    upload(collection, "d1")
    before = graded(collection)
    upload(collection, "d9")
    assert graded(collection) == before + 1


def upload(collection, passage_id):
    said = Prediction(line=1, query_id="q1", passage_id=passage_id, grade=1, answer="1")
    uploading_predictions.upload(collection=collection, rater="gpt", predictions=[said], by=None, now=NOW)


def withdraw(imported):
    queued = withdrawing.request_withdrawal(imported=imported, by=None, now=NOW)
    work.run(work.claim(work_id=queued.pk))

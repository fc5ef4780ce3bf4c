"""Predictions of models outside become suggestions, all or none."""

import pytest

from annotate.formats.faults import FileRefused
from annotate.formats.predictions import Prediction
from annotate.grades import completed_qrels, ratings
from annotate.imports.operations import predictions as imports_predictions
from annotate.imports.operations.predictions import CannotUpload
from annotate.models import Batch, Rater, Suggestion
from annotate.rules import completion
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return factories.make_holes(factories.make_collection())


def said(line=1, query_id="q1", passage_id="d1.1", grade=2, **more):
    answer = more.pop("answer", "null" if grade is None else str(grade))
    return Prediction(line, query_id, passage_id, grade, answer, **more)


def upload(collection, *predictions, rater="outside", by=None):
    return imports_predictions.upload_predictions(
        collection=collection, rater=rater, predictions=list(predictions), by=by, now=factories.NOW
    )


def test_predictions_become_suggestions_of_a_new_model_rater(collection):
    told = upload(
        collection,
        said(1, probabilities=(0.0, 0.25, 0.75, 0.0), reason="on topic"),
        said(2, passage_id="d1.2", grade=None),
        said(3, passage_id="d1.3", grade=None, answer="7"),
        by=collection.created_by,
    )
    assert told == imports_predictions.Uploaded(rater="outside", added=3, unchanged=0, without_grade=2)
    rater = Rater.objects.get(name="outside")
    assert (rater.kind, rater.judge) == ("MODEL", "uploaded")
    assert ratings.model_grades(rater) == {("q1", "d1.1"): 2}
    batch = Batch.objects.get(rater=rater)
    assert (batch.judge, batch.pairs, batch.created_by, batch.finished_at) == (
        "uploaded",
        3,
        collection.created_by,
        factories.NOW,
    )
    rows = Suggestion.objects.filter(batch=batch).order_by("pair__passage_id")
    assert list(rows.values_list("state", "grade", "answer", "probabilities", "reason")) == [
        ("DONE", 2, "2", [0.0, 0.25, 0.75, 0.0], "on topic"),
        ("EMPTY", None, "null", None, ""),
        ("UNPARSED", None, "7", None, ""),
    ]


def test_they_complete_qrels_and_stay_a_model_s(collection):
    upload(collection, said())
    (line,) = completed_qrels.complete_qrels(collection, completion.parse_rule("reference,people,model:outside"))
    assert (line.query_id, line.passage_id, line.grade, line.source) == ("q1", "d1.1", 2, "model:outside")
    assert ratings.consensus_grades(collection) == {}


def test_the_same_upload_again_changes_nothing(collection):
    predictions = [said(1, probabilities=(0.1, 0.2, 0.3, 0.4)), said(2, passage_id="d1.2", grade=None)]
    upload(collection, *predictions)
    told = upload(collection, *predictions)
    assert (told.added, told.unchanged, told.without_grade) == (0, 2, 1)
    assert (Batch.objects.count(), Suggestion.objects.count()) == (1, 2)


@pytest.mark.postgresql
def test_a_larger_upload_adds_what_is_new(collection):
    upload(collection, said())
    told = upload(collection, said(), said(2, passage_id="d1.2"))
    assert (told.added, told.unchanged) == (1, 1)
    assert Batch.objects.count() == 2


@pytest.mark.parametrize("changed", [{"grade": 1}, {"reason": "other"}, {"probabilities": (0.0, 0.0, 1.0, 0.0)}])
def test_another_word_on_a_pair_refuses_the_whole_upload(collection, changed):
    upload(collection, said())
    with pytest.raises(FileRefused) as refused:
        upload(collection, said(1, passage_id="d1.2"), said(2, **changed))
    assert [(fault.line, fault.reason) for fault in refused.value.faults] == [
        (2, "passage 'd1.1' of topic 'q1' was predicted otherwise before; send a new version under a new name")
    ]
    assert Suggestion.objects.count() == 1


def test_pairs_that_the_collection_lacks_are_named_and_nothing_is_stored(collection):
    factories.import_text(factories.make_collection(), "TOPICS", "q9\tof another collection\n")
    with pytest.raises(FileRefused) as refused:
        upload(collection, said(1), said(2, passage_id="D1.1"), said(3, query_id="q9"), said(4, passage_id="d2.1"))
    assert [(fault.line, fault.reason) for fault in refused.value.faults] == [
        (2, "passage 'D1.1' of topic 'q1' is neither in the pool nor graded"),
        (3, "passage 'd1.1' of topic 'q9' is neither in the pool nor graded"),
        (4, "passage 'd2.1' of topic 'q1' is neither in the pool nor graded"),
    ]
    assert not Rater.objects.filter(name="outside").exists()
    assert not Suggestion.objects.exists()


def test_a_pair_that_was_graded_but_never_pooled_may_be_predicted(collection):
    factories.import_qrels(collection, "q1 0 elsewhere 3\n")
    assert upload(collection, said(passage_id="elsewhere")).added == 1


@pytest.mark.parametrize(
    "rater", ["", " a", "a,b", "a\0", "a" * 101, "people", "people:blind", "reference", "assessor-1"]
)
def test_a_name_that_a_rule_could_not_hold_is_refused(collection, rater):
    with pytest.raises(CannotUpload):
        upload(collection, said(), rater=rater)


@pytest.mark.parametrize("kind", ["REFERENCE", "MODEL"])
def test_the_name_of_an_imported_rater_is_refused(collection, kind):
    factories.import_qrels(collection, "q1 0 d1.2 3\n", rater="taken", kind=kind)
    with pytest.raises(CannotUpload, match="The rater taken has other grades"):
        upload(collection, said(), rater="taken")
    assert not Batch.objects.exists()


@pytest.mark.parametrize("number", [0, imports_predictions.MOST + 1])
def test_none_and_too_many_are_refused(collection, number):
    with pytest.raises(CannotUpload, match=f"between 1 and 5000 predictions at a time, not {number}"):
        upload(collection, *[said()] * number)

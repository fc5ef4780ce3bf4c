"""Asking again about what came to no grade, whoever was asked: a service, one of Lacuna's own judges, a program."""

import pytest
from django.urls import reverse

from annotate.formats.predictions import parse_list
from annotate.imports.operations import predictions
from annotate.models import Batch, Suggestion, Work
from annotate.own_judges.operations import requests
from annotate.suggestions.operations import batches
from annotate.suggestions.purposes.purpose import CannotAsk
from annotate.work import engine
from tests import factories, visitors
from tests.factories import NOW

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def judged(collection):
    factories.import_qrels(collection, "".join(f"q{n} 0 d{n}.{p} {p % 4}\n" for n in (1, 2) for p in range(1, 6)))
    collection.refresh_from_db()
    return collection


@pytest.fixture
def learned(judged):
    """A batch of the learned judge that waits for a worker."""
    return requests.request_version(collection=judged, by=None, now=NOW)


def ask_again(batch):
    address = reverse("ask_again", args=[batch.collection.slug, batch.pk])
    return visitors.words(visitors.researcher(batch.collection).post(address, follow=True))


def test_an_own_judge_that_was_paused_goes_on_with_the_rest(learned):
    batches.pause(batch=learned)
    assert Work.objects.get(pk=learned.work_id).state == Work.State.STOPPED
    ask_again(learned)
    engine.run_waiting()
    learned.refresh_from_db()
    assert (learned.work.kind, learned.work.state, learned.work.error) == (requests.SUGGEST, Work.State.DONE, "")
    assert learned.suggestions.filter(state="DONE").count() == 10


def test_an_own_judge_that_was_cancelled_goes_on_too(learned):
    batches.cancel(batch=learned, by=None, now=NOW)
    ask_again(learned)
    engine.run_waiting()
    learned.refresh_from_db()
    assert (learned.cancelled_at, learned.work.state) == (None, Work.State.DONE)


def test_an_own_judge_that_has_graded_all_is_not_asked_again(learned):
    engine.run_waiting()
    assert "learned-1 has graded all these pairs" in ask_again(learned)
    assert Work.objects.filter(kind=requests.SUGGEST).count() == 1


def test_a_batch_under_way_is_not_taken_up(learned):
    with pytest.raises(CannotAsk, match="under way"):
        batches.resume(batch=learned, by=None, now=NOW)


def test_a_program_that_sent_grades_cannot_be_asked(collection):
    sent = parse_list([{"query_id": "q1", "passage_id": "d1.1", "grade": 2}], collection.scale)
    predictions.upload_predictions(collection=collection, rater="gpt", predictions=sent, by=None, now=NOW)
    assert "let it send what is missing" in ask_again(Batch.objects.get())
    assert not Work.objects.filter(arguments__batch=Batch.objects.get().pk).exists()


def test_a_model_whose_name_no_rater_can_have_is_refused_in_a_sentence(serve, collection, ask):
    serve()
    with pytest.raises(CannotAsk, match="Give the rater a name"):
        ask(collection, model="claude\N{ZERO WIDTH SPACE}haiku")
    assert not Suggestion.objects.exists()

import pytest
from django.urls import reverse

from annotate.models import Batch
from annotate.work import engine
from tests import factories, visitors
from tests.factories import import_text

pytestmark = pytest.mark.django_db
SERVICE = {"judge": "anthropic", "model": "claude-haiku-4-5", "pairs": 3, "seed": 1, "against": "QUERY"}


@pytest.fixture
def collection():
    made = factories.make_collection()
    import_text(made, "TOPICS", "q1\twhy\nq2\thow\n")
    import_text(made, "PASSAGES", "".join(f"d{n}\tText {n} speaks.\n" for n in range(12)))
    factories.import_qrels(made, "".join(f"{'q1' if n % 2 else 'q2'} 0 d{n} {n % 4}\n" for n in range(12)))
    made.refresh_from_db()
    return made


@pytest.fixture
def visitor(collection):
    return visitors.researcher(collection)


def page_of(collection):
    return reverse("probe", args=[collection.slug])


def test_it_begins_with_a_form_and_says_what_a_service_lacks(visitor, collection, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    words = visitors.words(visitor.get(page_of(collection)))
    assert "Whom to test" in words
    assert "Set ANTHROPIC_API_KEY in the environment" in words
    assert "own judges need no key" in words


@pytest.mark.postgresql
def test_an_own_judge_starts_at_once_and_its_shares_stand_in_the_table(visitor, collection):
    answer = visitor.post(page_of(collection), {"judge": "learned", "pairs": 3, "seed": 1})
    batch = Batch.objects.get()
    assert answer.url == reverse("batch", args=[collection.slug, batch.pk])
    engine.run_waiting()
    words = visitors.words(visitor.get(page_of(collection)))
    assert "learned 3 pairs, seed 1" in words
    assert words.count("of 3") >= 4
    assert "a test of the judge, of which nothing becomes a suggestion" in visitors.words(visitor.get(answer.url))


def test_a_service_is_asked_after_a_dry_run_alone(visitor, collection, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-x")
    words = visitors.words(visitor.post(page_of(collection), SERVICE))
    assert "Dry run: no call was made 12 calls 3 pairs" in words
    assert not Batch.objects.exists()
    visitor.post(page_of(collection), {**SERVICE, "start": "1"})
    assert (Batch.objects.get().purpose, Batch.objects.get().probe_answers.count()) == ("PROBE", 12)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"judge": "nobody"}, "not one of the available choices"),
        ({"pairs": 0}, "greater than or equal to 1"),
        ({"seed": 2**63}, "at most 63 bits"),
        ({"model": ""}, "Name the model"),
    ],
)
def test_what_cannot_be_asked_is_said_and_the_form_keeps_what_was_typed(visitor, collection, said, sentence):
    answer = visitor.post(page_of(collection), {**SERVICE, "pairs": 7, **said})
    assert answer.status_code == 422
    assert sentence in visitors.words(answer)
    assert b'value="7"' in answer.content or "pairs" in said


def test_it_is_for_researchers_alone(collection):
    assert visitors.assessor(collection).get(page_of(collection)).status_code == 403
    assert visitors.stranger().get(page_of(collection)).status_code == 404


def test_batches_of_probes_stand_in_no_list_of_suggestions(visitor, collection):
    visitor.post(page_of(collection), {"judge": "learned", "pairs": 3, "seed": 1})
    words = visitors.words(visitor.get(reverse("suggestions", args=[collection.slug])))
    assert "No model has said anything yet" in words

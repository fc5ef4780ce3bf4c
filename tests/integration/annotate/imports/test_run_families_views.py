import pytest
from django.urls import reverse

from annotate.models import Run
from tests import factories, visitors


@pytest.fixture
def collection(db):
    collection = factories.make_collection()
    factories.import_text(collection, "TOPICS", "q1\tone\n")
    return collection


@pytest.fixture
def run(collection):
    return factories.import_text(collection, "RUN", "q1 Q0 d1 1 2.5 tag\n", model_family="bert")


def address(collection, imported):
    return reverse("change_families", args=[collection.slug, imported.pk])


@pytest.mark.postgresql
def test_the_families_of_a_run_are_corrected_on_the_page_of_its_file(collection, run):
    visitor = visitors.researcher(collection)
    page = visitor.get(reverse("import_detail", args=[collection.slug, run.pk]))
    assert 'name="model_family" value="bert"' in page.content.decode()
    told = visitors.words(visitor.post(address(collection, run), {"model_family": "gpt,bert"}, follow=True))
    assert "The model families are kept." in told and "model family gpt, bert" in told
    assert Run.objects.get().model_family == "gpt, bert"


def test_too_long_a_text_is_refused_and_nothing_changes(collection, run):
    answer = visitors.researcher(collection).post(address(collection, run), {"model_family": "g" * 101})
    assert answer.status_code == 422
    assert "at most 100 characters" in visitors.words(answer)
    assert Run.objects.get().model_family == "bert"


def test_a_file_of_topics_has_no_families(collection):
    imported = collection.imported_files.get()
    visitor = visitors.researcher(collection)
    assert b"model_family" not in visitor.get(reverse("import_detail", args=[collection.slug, imported.pk])).content
    assert visitor.post(address(collection, imported), {"model_family": "gpt"}).status_code == 404


def test_a_researcher_of_another_collection_finds_nothing(collection, run):
    stranger = visitors.researcher(factories.make_collection())
    assert stranger.post(address(collection, run), {"model_family": "gpt"}).status_code == 404
    assert visitors.researcher(collection).get(address(collection, run)).status_code == 405

"""Query variants and their runs come in through the page of imports."""

import gzip

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.models import ImportedFile, QueryVariant, Run
from annotate.work import engine
from tests import factories, visitors

MAPPING = b"w1\tq1\tchild\t1\nw2\tq1\tchild\t2\n"


@pytest.fixture
def collection(db):
    collection = factories.make_collection()
    factories.import_text(collection, "TOPICS", "q1\tone\n")
    return collection


@pytest.fixture
def visitor(collection):
    return visitors.researcher(collection)


def send(visitor, collection, kind, files, **said):
    where = f"{reverse('imports', args=[collection.slug])}?kind={kind}"
    sent = [SimpleUploadedFile(name, content) for name, content in files]
    answer = visitor.post(where, {"files": sent, **said}, follow=True)
    engine.run_waiting()
    return visitors.words(answer)


def test_the_form_says_how_the_files_look(visitor, collection):
    page = visitors.words(visitor.get(reverse("imports", args=[collection.slug]) + "?kind=VARIANTS"))
    assert "A line a variant: variant_id , query_id , profile , number between tabs" in page.replace("  ", " ")


@pytest.mark.postgresql
def test_a_mapping_comes_with_its_texts(visitor, collection):
    texts = SimpleUploadedFile("texts.tsv.gz", gzip.compress(b"w1\tchild one\nw2\tchild two\n"))
    assert "mapping.tsv: taken in" in send(visitor, collection, "VARIANTS", [("mapping.tsv", MAPPING)], texts=texts)
    assert dict(QueryVariant.objects.published().values_list("variant_id", "text")) == {
        "w1": "child one",
        "w2": "child two",
    }
    page = visitors.words(visitor.get(reverse("imports", args=[collection.slug])))
    assert "texts from texts.tsv.gz" in page


def test_an_empty_texts_file_is_refused_by_its_name(visitor, collection):
    send(visitor, collection, "VARIANTS", [("m.tsv", MAPPING)], texts=SimpleUploadedFile("none.tsv", b""))
    assert ImportedFile.objects.get(kind="VARIANTS").faults == ["none.tsv: the file has no lines"]


def test_a_run_is_said_to_be_of_variants_by_a_box(visitor, collection):
    send(visitor, collection, "VARIANTS", [("m.tsv", MAPPING)])
    files = [("a.run", b"w1 Q0 d1 1 1 bm25\n"), ("b.run", b"w2 Q0 d1 1 1 bm25\n")]
    send(visitor, collection, "RUN", files, ranks_variants="on", is_pooled="on")
    assert list(Run.objects.values_list("tag", "ranks_variants")) == [("bm25", True), ("bm25", True)]
    assert "of query variants" in visitors.words(visitor.get(reverse("imports", args=[collection.slug])))

"""Query variants go out as topics and as a mapping: from the exports page and by the command, the same bytes."""

import hashlib
import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotate.formats import texts
from annotate.formats.records import Topic, Variant
from annotate.models import QueryVariant
from annotate.texts.queries import variants as variants_queries
from tests import factories

pytestmark = pytest.mark.django_db

# White space of every kind, a cell that computes, a tag, and the text of a terminal.
HOSTILE = '=cmd|"/C"!A0\t<script>alert(1)</script>\n\r\u2028next\x1b[31m "quoted" \u00e9'
LISTED = [
    Variant("Z", "q1", "child", 1, HOSTILE),
    Variant("a", "q1", "child", 2),
    Variant("\u00e9", "q1", "a b", 1, "plain"),
]


@pytest.fixture
def collection():
    collection = factories.make_collection(by=factories.make_user("researcher"))
    factories.import_text(collection, "TOPICS", "q1\tone\n")
    return collection


@pytest.fixture
def with_variants(collection):
    factories.import_text(collection, "VARIANTS", b"".join(map(texts.variant_object, LISTED[::-1])), name="x.jsonl")
    return collection


@pytest.fixture
def researcher(client, collection):
    client.force_login(collection.memberships.get(role="RESEARCHER").user)
    return client


def read(client, collection, name):
    response = client.get(f"/c/{collection.slug}/exports/variants/{name}")
    assert response.status_code == 200
    return response, b"".join(response.streaming_content)


def test_topics_and_mapping_read_back(researcher, with_variants, tmp_path):
    for name in variants_queries.FILES:
        _, content = read(researcher, with_variants, name)
        (tmp_path / name).write_bytes(content)
    assert list(texts.read_topics(tmp_path / "variants.jsonl")) == [Topic("Z", HOSTILE), Topic("\u00e9", "plain")]
    assert list(texts.read_topics(tmp_path / "variants.tsv")) == [
        Topic("Z", '=cmd|"/C"!A0 <script>alert(1)</script> next\x1b[31m "quoted" \u00e9'),
        Topic("\u00e9", "plain"),
    ]
    assert list(texts.read_variants(tmp_path / "mapping.jsonl")) == LISTED
    assert list(texts.read_variants(tmp_path / "mapping.tsv")) == [each._replace(text="") for each in LISTED]


def test_a_line_of_topics_stays_one_line_for_every_reader(researcher, with_variants):
    _, content = read(researcher, with_variants, "variants.tsv")
    assert len(content.decode().splitlines()) == 2


def test_a_browser_takes_it_for_a_file_and_never_for_a_page(researcher, with_variants):
    response, _ = read(researcher, with_variants, "variants.tsv")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Disposition"] == f'attachment; filename="{with_variants.slug}-variants.tsv"'


def test_the_command_writes_the_same_bytes(researcher, with_variants, tmp_path):
    out = io.StringIO()
    call_command("export_variants", "--collection", with_variants.slug, "--out", tmp_path / "to", "--json", stdout=out)
    told = json.loads(out.getvalue())
    for name in variants_queries.FILES:
        content = (tmp_path / "to" / name).read_bytes()
        assert content == read(researcher, with_variants, name)[1]
        assert told["sha256"][name] == hashlib.sha256(content).hexdigest()
    assert (told["variants"], sorted(path.name for path in (tmp_path / "to").iterdir())) == (3, sorted(told["sha256"]))


def test_the_order_is_that_of_the_ids_and_not_of_the_rows(researcher, with_variants):
    first = read(researcher, with_variants, "mapping.jsonl")[1]
    other = factories.make_collection()
    factories.import_text(other, "TOPICS", "q1\tone\n")
    for variant in LISTED:
        factories.import_text(other, "VARIANTS", texts.variant_object(variant), name="x.jsonl")
    assert b"".join(variants_queries.read_file_lines(other, "mapping.jsonl")) == first


def test_the_mapping_with_texts_comes_in_again_by_itself(with_variants):
    other = factories.make_collection()
    factories.import_text(other, "TOPICS", "q1\tone\n")
    content = b"".join(variants_queries.read_file_lines(with_variants, "mapping.jsonl"))
    assert factories.import_text(other, "VARIANTS", content, name="mapping.jsonl").added == 3
    assert b"".join(variants_queries.read_file_lines(other, "mapping.jsonl")) == content


def test_without_variants_the_command_refuses_and_the_page_is_silent(researcher, collection, tmp_path):
    with pytest.raises(CommandError, match="import or write some first") as refused:
        call_command("export_variants", "--collection", collection.slug, "--out", tmp_path)
    assert refused.value.returncode == 1
    assert b"mapping.tsv" not in researcher.get(f"/c/{collection.slug}/exports/").content


@pytest.mark.postgresql
def test_a_folder_that_cannot_be_made_is_named(with_variants, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match="Nothing can be written to") as wrong:
        call_command("export_variants", "--collection", with_variants.slug, "--out", tmp_path / "file" / "in")
    assert wrong.value.returncode == 2


def test_the_exports_page_offers_the_files(researcher, with_variants):
    page = researcher.get(f"/c/{with_variants.slug}/exports/").content.decode()
    for name in variants_queries.FILES:
        assert f'href="/c/{with_variants.slug}/exports/variants/{name}"' in page


def test_other_names_other_people_and_other_methods_get_nothing(researcher, with_variants, client):
    address = f"/c/{with_variants.slug}/exports/variants/"
    assert researcher.get(address + "manifest.json").status_code == 404
    assert researcher.post(address + "mapping.tsv").status_code == 405
    assessor = factories.make_assessor(with_variants).user
    client.force_login(assessor)
    assert client.get(address + "mapping.tsv").status_code in (403, 404)
    client.force_login(factories.make_user())
    assert client.get(address + "mapping.tsv").status_code == 404


def test_the_variants_are_read_a_few_at_a_time(with_variants, monkeypatch):
    monkeypatch.setattr(variants_queries, "_LINES_AT_ONCE", 2)
    assert [block.count(b"\n") for block in variants_queries.read_file_lines(with_variants, "mapping.tsv")] == [2, 1]
    assert QueryVariant.objects.count() == 3

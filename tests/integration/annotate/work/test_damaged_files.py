"""A damaged file of the data folder is written anew, or refused in a sentence that says what to do."""

import pytest
from django.urls import reverse

from annotate.formats.whole_files import Damaged
from annotate.grades import rankings
from annotate.imports.operations import uploads
from annotate.models import Export, ImportedFile, Work
from annotate.own_judges import queries
from annotate.own_judges.operations import requests, training
from annotate.pool.operations import pooling
from annotate.work import engine, kept_files, queue
from tests import damages, factories, visitors
from tests.factories import NOW

pytestmark = pytest.mark.django_db
TOPICS = b"q1\tone\nq2\ttwo\n"
RULE = {"source_1": "reference", "consensus": "MAJORITY"}


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    rankings._top.cache_clear()
    return tmp_path


@pytest.fixture(params=damages.DAMAGES)
def damage(request):
    return lambda path: damages.do(request.param, path)


def run(work):
    engine.run(engine.claim(work_id=work.pk))
    return Work.objects.get(pk=work.pk)


def receive(collection, name="topics.tsv"):
    return uploads.receive(
        collection=collection, kind="TOPICS", name=name, chunks=[TOPICS], options={}, by=None, now=NOW
    )


class TestTrainingFile:
    @pytest.fixture
    def collection(self):
        made = factories.make_holes(factories.make_collection(), topics=3, passages=8)
        lines = [f"q{t} 0 d{t}.{p} {p % 4}\n" for t in (1, 2, 3) for p in range(1, 7)]
        factories.import_qrels(made, "".join(lines))
        return made

    def test_it_is_made_again_where_nothing_has_changed_since(self, collection, damage):
        batch = requests.request_version(collection=collection, by=None, now=NOW)
        kept = kept_files.path(f"training/{batch.rater.parameters['learned_from']}.json")
        before = kept.read_bytes()
        damage(kept)
        assert run(batch.work).state == "DONE"
        assert kept.read_bytes() == before

    def test_where_grades_came_since_a_sentence_says_what_to_do(self, collection, damage):
        batch = requests.request_version(collection=collection, by=None, now=NOW)
        damage(kept_files.path(f"training/{batch.rater.parameters['learned_from']}.json"))
        factories.decide(collection.pairs.get(passage_id="d3.8"), 2)
        ended = run(batch.work)
        assert ended.state == "FAILED"
        assert "is damaged: put it back from a backup. Or start a new version" in ended.error
        successor = requests.request_version(collection=collection, by=None, now=NOW)
        assert successor.rater.name == "learned-2"

    def test_so_are_the_grades_that_a_model_is_shown(self, collection, damage):
        known = queries.list_training_grades(collection)
        digest = training.keep_grades(known)
        damage(kept_files.path(f"training/{digest}.json"))
        assert training.read_grades(collection, digest) == known
        damage(kept_files.path(f"training/{digest}.json"))
        factories.decide(collection.pairs.get(passage_id="d3.8"), 2)
        with pytest.raises(Damaged, match=f"training/{digest}.json in the data folder is damaged"):
            training.read_grades(collection, digest)


class TestRun:
    @pytest.fixture
    def row(self):
        collection = factories.make_collection()
        factories.import_text(collection, "TOPICS", "q1\tfirst topic\n")
        factories.import_text(collection, "RUN", "".join(f"q1 Q0 d{n} {n} {500 - n} mine\n" for n in range(1, 151)))
        [row] = rankings.published_runs(collection)
        return row

    @pytest.mark.parametrize("depth", [1, 100, 200])
    def test_it_is_made_again_of_the_file_that_was_imported(self, row, damage, depth):
        before = rankings.load_top(row, depth).ranking("q1")
        rankings._top.cache_clear()
        path = kept_files.path(row.path)
        whole = path.read_bytes()
        damage(path)
        assert rankings.load_top(row, depth).ranking("q1") == before
        if depth == 200:
            assert path.read_bytes() == whole
        path.unlink()
        assert rankings.ranked_query_ids(row) == {"q1"}
        assert path.read_bytes() == whole

    def test_where_that_is_no_better_a_sentence_says_so(self, row, damage):
        for path in (kept_files.path(row.path), kept_files.path(row.source.path)):
            damage(path)
        with pytest.raises(Damaged, match="put both back from a backup, or withdraw the import"):
            rankings.load_top(row, 200)

    def test_background_work_ends_with_that_sentence(self, row, damage):
        for path in (kept_files.path(row.path), kept_files.path(row.source.path)):
            path.write_bytes(b"")
        pooling.request_pool(collection=row.collection, depth=10, by=None, now=NOW)
        engine.run_waiting()
        assert "put both back from a backup" in Work.objects.get(kind="pool").error


class TestReceivedFile:
    def test_it_is_refused_and_sending_it_once_more_writes_it_anew(self, damage):
        collection = factories.make_collection()
        imported = receive(collection)
        damage(kept_files.path(imported.path))
        assert "Send the same file once more" in run(imported.work).error
        assert not collection.topics.exists()
        with pytest.raises(uploads.AlreadyImported, match="take it up again"):
            receive(collection)
        queue.resume(work=imported.work)
        assert run(imported.work).state == "DONE"
        assert ImportedFile.objects.get().state == "PUBLISHED"

    def test_so_are_the_texts_that_came_with_query_variants(self, damage):
        collection = factories.make_collection()
        factories.import_text(collection, "TOPICS", TOPICS.decode())
        said = {"kind": "VARIANTS", "name": "v.tsv", "options": {}, "by": None, "now": NOW}
        said |= {"chunks": [b"v1\tq1\tchild\t1\n"], "texts": ("texts.tsv", [b"v1\twhat is one\n"])}
        imported = uploads.receive(collection=collection, **said)
        damage(kept_files.path(imported.options["texts"]["path"]))
        assert "The copy of texts.tsv in the data folder is damaged" in run(imported.work).error


class TestFrozenExport:
    @pytest.fixture
    def collection(self):
        made = factories.make_holes(factories.make_collection("dl"), topics=2, passages=3)
        factories.import_qrels(made, "q1 0 d1.1 2\nq1 0 d1.2 0\n")
        return made

    @pytest.mark.parametrize("name", ["qrels.txt", "provenance.jsonl", "manifest.json", "provenance.csv"])
    def test_it_is_not_served_and_freezing_the_same_writes_it_anew(self, collection, damage, name):
        visitor, where = visitors.researcher(collection), reverse("exports", args=["dl"])
        visitor.post(where, RULE)
        address = reverse("export_file", args=["dl", 1, name])
        whole = visitor.get(address).getvalue()
        stored = name.replace(".csv", ".jsonl")
        damage(kept_files.path(Export.objects.get().path) / stored)
        answer = visitor.get(address, follow=True)
        assert answer.redirect_chain == [(where, 302)]
        assert f"{stored} of version 1 is damaged in the data folder" in visitors.words(answer)
        visitor.post(where, RULE)
        assert Export.objects.count() == 1
        assert visitor.get(address).getvalue() == whole

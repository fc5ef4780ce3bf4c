"""What is derived is derived again where its file is damaged; what was frozen is refused, and frozen again the same."""

import pytest

from annotate.formats import whole_files
from annotate.models import Work
from annotate.work import engine, kept_files
from evaluation.findings import finding, run_indexes
from evaluation.plots.figure import Figure
from evaluation.studies.kinds import frozen
from evaluation.studies.kinds.registry import CannotStudy
from tests import damages, factories, visitors
from tests.factories import NOW
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
FIGURE = Figure("bars", "A figure", "of two values", [{"value": 1}, {"value": 2}])
DRAWINGS = {"svg": b"<svg>words</svg>", "png": b"\x89PNG something IEND\xaeB`\x82"}


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path


@pytest.fixture(params=damages.DAMAGES)
def damage(request):
    return lambda path: damages.do(request.param, path)


@pytest.mark.parametrize("format", DRAWINGS)
class TestFigure:
    @pytest.fixture(autouse=True)
    def renderer(self, monkeypatch):
        monkeypatch.setattr(finding.rendering, "render_all", lambda asked: [DRAWINGS[format] for _, format in asked])

    def ask(self, collection, format):
        return finding.ask_drawing(collection=collection, figure=FIGURE, format=format, address="/f", by=None, now=NOW)

    def test_a_damaged_one_is_drawn_again(self, damage, format):
        collection = factories.make_collection()
        self.ask(collection, format)
        engine.run_waiting()
        damage(finding._path(FIGURE, format))
        asked = self.ask(collection, format)
        assert (asked.content, asked.work.state) == (None, "QUEUED")
        engine.run_waiting()
        assert self.ask(collection, format).content == DRAWINGS[format]
        assert Work.objects.count() == 2

    def test_one_of_an_older_version_is_shown_unless_it_was_cut_off(self, format):
        path = finding._path(FIGURE, format)
        whole_files.write(path, [DRAWINGS[format]])
        assert finding.read_drawing(FIGURE, format) == DRAWINGS[format]
        for length in (0, 5, len(DRAWINGS[format]) - 1):
            path.write_bytes(DRAWINGS[format][:length])
            assert finding.read_drawing(FIGURE, format) is None


def test_a_damaged_index_of_many_runs_is_made_again_in_the_background(damage, monkeypatch):
    monkeypatch.setattr(run_indexes, "AT_ONCE", 7)
    collection = small.with_qrels("q1 d1 3, q1 d2 1")
    small.add_run(collection, "d1>d2")
    small.add_run(collection, "d2>d1")
    visitor = visitors.researcher(collection)

    def read():
        return visitor.get(f"/c/{collection.slug}/leaderboard/", {"rule": "reference", "measure": "AP"})

    read()
    engine.run_waiting()
    assert read().context["board"]
    damage(next(kept_files.path(run_indexes.FOLDER).iterdir()))
    assert "board" not in read().context
    assert engine.run_waiting() == 1
    assert read().context["board"]


class TestRunDamagedWithItsImport:
    @pytest.fixture
    def collection(self, damage):
        """The first of two runs has no whole file left."""
        collection = small.with_qrels("q1 d1 3, q1 d2 1")
        small.add_run(collection, "d1>d2")
        small.add_run(collection, "d2>d1")
        row = collection.runs.get(tag="d1>d2")
        for path in (row.path, row.source.path):
            damage(kept_files.path(path))
        return collection

    def test_a_page_says_which_file_and_what_to_do(self, collection):
        answer = visitors.researcher(collection).get(f"/c/{collection.slug}/leaderboard/", {"rule": "reference"})
        assert answer.status_code == 503
        words = visitors.words(answer)
        assert f"A run is damaged in the data folder ({collection.runs.get(tag='d1>d2').digest}" in words
        assert "put both back from a backup, or withdraw the import and import the file again." in words

    def test_so_it_does_where_both_are_gone(self, collection):
        row = collection.runs.get(tag="d1>d2")
        for path in (row.path, row.source.path):
            kept_files.path(path).unlink()
        answer = visitors.researcher(collection).get(f"/c/{collection.slug}/leaderboard/", {"rule": "reference"})
        assert answer.status_code == 503
        assert "A run is gone from the data folder" in visitors.words(answer)

    def test_the_api_says_the_same(self, collection):
        answer = visitors.researcher(collection).get(f"/api/v1/collections/{collection.slug}/scores/")
        assert answer.status_code == 503
        assert "put both back from a backup" in answer.json()["detail"]


def test_a_damaged_input_of_a_study_is_refused_and_freezing_the_same_writes_it_anew(damage):
    digest = frozen.freeze_json({"grades": [1, 2, 3]})
    damage(kept_files.path(f"studies/{digest}.json"))
    with pytest.raises(CannotStudy, match=f"studies/{digest}.json in the data folder is damaged: put it back"):
        frozen.thaw_json(digest)
    assert frozen.freeze_json({"grades": [1, 2, 3]}) == digest
    assert frozen.thaw_json(digest) == {"grades": [1, 2, 3]}

"""While the runs are indexed in the background the leaderboard says so."""

import pytest

from annotate.models import Work
from annotate.work import engine, kept_files
from evaluation.findings import run_indexes
from tests import factories, visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
DEEP = {"rule": "reference", "measure": "AP"}


@pytest.fixture
def collection(settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(run_indexes, "AT_ONCE", 7)
    made = small.with_qrels("q1 d1 3, q1 d2 1")
    small.add_run(made, "d1>d2")
    small.add_run(made, "d2>d1")
    return made


@pytest.fixture
def read(collection):
    visitor = visitors.researcher(collection)

    def of_view(**asked):
        answer = visitor.get(f"/c/{collection.slug}/leaderboard/", {**DEEP, **asked})
        assert answer.status_code == 200
        return answer

    return of_view


def waiting():
    return Work.objects.filter(kind="index")


@pytest.mark.postgresql
def test_the_first_who_asks_waits_for_the_index_and_sees_the_systems_then(read):
    page = read().content.decode()
    assert "The indexes of the runs are being computed in the background" in page
    assert 'hx-select="#found"' in page and "d2&gt;d1" not in page
    read()
    assert waiting().count() == 1
    engine.run_waiting()
    page = read().content.decode()
    assert 'id="found"' in page and "d2&gt;d1" in page and "in the background" not in page
    assert waiting().get().arguments["result"].endswith("rule=reference&measure=AP")


def test_grades_that_come_need_no_other_index_and_runs_do(read, collection):
    read()
    engine.run_waiting()
    factories.import_qrels(collection, "q1 0 d1 3\n", rater="gpt", kind="MODEL")
    assert read().context["board"]
    small.add_run(collection, "d3>d1")
    assert "board" not in read().context
    engine.run_waiting()
    assert len(read().context["board"].systems) == 3


def test_few_ranks_are_indexed_at_once(read, monkeypatch):
    monkeypatch.setattr(run_indexes, "AT_ONCE", 8)
    assert read().context["board"]
    assert not waiting().exists()


def test_what_could_not_be_written_says_so_and_is_not_tried_for_ever(read, collection):
    kept_files.path(run_indexes.FOLDER).write_text("no folder")
    read()
    engine.run_waiting()
    for _ in range(2):
        page = read().content.decode()
        assert "could not be written into the data folder" in page and "hx-select" not in page
    assert waiting().count() == 1


def test_an_index_that_is_lost_is_made_again(read, collection):
    read()
    engine.run_waiting()
    next(kept_files.path(run_indexes.FOLDER).iterdir()).unlink()
    assert "board" not in read().context
    engine.run_waiting()
    assert read().context["board"]

import tracemalloc

import numpy as np
import pytest

from annotate.formats import run_store
from annotate.grades import rankings
from annotate.imports.operations import withdrawals
from annotate.models import ImportedFile
from annotate.rules import completion
from annotate.work import engine
from evaluation.engine import run_index
from evaluation.findings import run_indexes
from evaluation.findings.leaderboard import scores
from evaluation.findings.run_indexes import Loaded
from evaluation.measures import registry
from tests import factories
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
REFERENCE = completion.parse_rule("reference")
NDCG = registry.parse("nDCG@10")


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    """The folder of the indexes, in a data folder that nothing else uses."""
    settings.DATA_DIR = tmp_path
    return tmp_path / run_indexes.FOLDER


@pytest.fixture
def collection():
    made = small.with_qrels("q1 d1 3, q1 d2 1, q2 d1 2")
    small.add_run(made, "d1>d2>d3")
    small.add_run(made, "d3>d2>d1")
    return made


def tags(collection, measure=NDCG):
    return run_indexes.load_index(collection, rankings.published_runs(collection), [measure]).run_tags


def withdraw(tag):
    withdrawals.request_withdrawal(imported=ImportedFile.objects.get(runs__tag=tag), by=None, now=factories.NOW)
    engine.run_waiting()


def forget():
    """As a new process."""
    scores._leaderboard.cache_clear()
    run_indexes.forget()


def means(collection):
    board = scores.compute_leaderboard(collection, REFERENCE, ["nDCG@10"])
    return {system.run_tag: system.by_measure["nDCG@10"].mean.value for system in board.systems}


def test_the_index_is_made_once_and_then_read_without_the_runs(collection, folder, monkeypatch):
    assert tags(collection) == ("d1>d2>d3", "d3>d2>d1")
    assert [found.name for found in folder.iterdir()] == [f"{collection.pk}-10.index"]
    monkeypatch.setattr(run_store, "load_top_ranks", None)
    monkeypatch.setattr(run_index, "build", None)
    assert tags(collection) == ("d1>d2>d3", "d3>d2>d1")


@pytest.mark.parametrize(
    ("measure", "name", "depth"),
    [("P@10", "10", 10), ("P@11", "100", 12), ("AP", "all", 12), ("P(unjudged=condensed)@5", "all", 12)],
)
def test_it_is_as_deep_as_the_measure_looks(folder, measure, name, depth):
    made = small.with_qrels("q1 p1 1")
    small.add_run(made, ">".join(f"p{rank}" for rank in range(1, 13)))
    found = run_indexes.load_index(made, rankings.published_runs(made), [registry.parse(measure)])
    assert found.at_ranks.shape[-1] == depth
    assert (folder / f"{made.pk}-{name}.index").exists()


def test_a_run_that_comes_or_is_withdrawn_makes_it_anew(collection):
    before = means(collection)
    small.add_run(collection, "d2>d1")
    assert tags(collection) == ("d1>d2>d3", "d2>d1", "d3>d2>d1")
    assert set(means(collection)) == {*before, "d2>d1"}
    withdraw("d2>d1")
    assert tags(collection) == ("d1>d2>d3", "d3>d2>d1")
    assert means(collection) == before


def test_a_run_of_the_same_tag_with_other_ranks_makes_it_anew(collection):
    tags(collection)
    withdraw("d3>d2>d1")
    factories.import_text(collection, "RUN", "q1 Q0 d1 1 9 d3>d2>d1\nq2 Q0 d1 1 9 d3>d2>d1\n")
    assert means(collection)["d3>d2>d1"] == pytest.approx(means(collection)["d1>d2>d3"], abs=0.2)
    index = run_indexes.load_index(collection, rankings.published_runs(collection), [NDCG])
    assert index.at_ranks[1, :, 1].tolist() == [len(index.passage_ids)] * 2


def test_passages_and_grades_that_come_leave_it_as_it_is(collection, folder):
    tags(collection)
    (path,) = folder.iterdir()
    written = path.stat().st_mtime_ns
    factories.import_text(collection, "PASSAGES", '{"id": "d1", "text": "words"}\n', name="p.jsonl")
    factories.import_qrels(collection, "q1 0 d3 3\n", rater="gpt", kind="MODEL")
    assert means(collection)
    assert path.stat().st_mtime_ns == written


def test_a_lost_or_foreign_file_is_made_anew(collection, folder):
    before = means(collection)
    (path,) = folder.iterdir()
    other = small.with_qrels("q1 d1 3")
    small.add_run(other, "d9>d8")
    tags(other)
    path.write_bytes((folder / f"{other.pk}-10.index").read_bytes())
    forget()
    assert means(collection) == before
    path.unlink()
    forget()
    assert means(collection) == before
    assert path.exists()


def test_a_folder_that_cannot_be_written_costs_only_time(collection, folder, caplog):
    folder.write_text("no folder")
    assert tags(collection) == ("d1>d2>d3", "d3>d2>d1")
    assert "The index of runs was not kept" in caplog.text


def test_a_process_keeps_the_indexes_that_were_used_last_as_far_as_they_fit_into_so_many_bytes(folder):
    folder.mkdir()
    index = run_index.RunIndex(
        ("r",), ("q1",), (0, 100), [f"d{number}" for number in range(100)], np.zeros((1, 1, 9), np.int32)
    )
    paths = [folder / name for name in ("a", "b", "c")]
    for path in paths:
        run_index.save(index, path, "key")
    kept = Loaded(most=2 * index.size)
    first = [kept.load(path, "key", 0) for path in paths[:2]]
    assert kept.load(paths[0], "key", 0) is first[0]
    kept.load(paths[2], "key", 0)
    assert kept.size == 2 * index.size
    assert kept.load(paths[0], "key", 0) is first[0]
    assert kept.load(paths[1], "key", 0) is not first[1]


def test_an_index_too_large_to_be_kept_is_read_each_time_and_known_to_be_there(collection, monkeypatch):
    monkeypatch.setattr(run_indexes, "_loaded", Loaded(most=1))
    monkeypatch.setattr(run_indexes, "AT_ONCE", 0)
    runs = rankings.published_runs(collection)
    first = run_indexes.load_index(collection, runs, [NDCG])
    assert not run_indexes.is_slow_to_build(collection, runs, [NDCG])
    again = run_indexes.load_index(collection, runs, [NDCG])
    assert again is not first and again.run_tags == first.run_tags
    assert run_indexes._loaded.size == 0


def test_the_size_of_an_index_is_that_of_its_numbers_and_its_ids(folder):
    ids = [f"passage-{number:06}" for number in range(10_000)]
    index = run_index.RunIndex(("r",), ("q1",), (0, len(ids)), ids, np.zeros((1, 1, 1000), np.int32))
    folder.mkdir()
    run_index.save(index, folder / "a", "key")
    tracemalloc.start()
    found = run_index.load(folder / "a", "key")
    assert len(found.places["q1"]) == len(ids)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken <= index.size <= 2 * taken

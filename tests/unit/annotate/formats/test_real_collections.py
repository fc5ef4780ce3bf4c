"""Reads all that is in the folder of real data; the counts are those that its README tells."""

from collections import Counter

import pytest

from annotate.formats import qrels, run_store, runs, texts
from annotate.formats.records import GradeScale
from tests import ranked, shared_data

WHOLE = 2**31 - 1  # more ranks than any run has


def dl19(*parts):
    return shared_data.path("dl19", *parts)


def test_the_grades_of_nist_are_read():
    records = list(qrels.read_qrels(dl19("qrels.txt"), scale=GradeScale()))
    assert Counter(record.grade for record in records) == {0: 5158, 1: 1601, 2: 1804, 3: 697}
    assert len(qrels.collect_qrels(records)) == 43


def test_the_grades_of_five_models_are_read():
    paths = sorted(dl19("llm").iterdir())
    assert [sum(1 for _ in qrels.read_qrels(path)) for path in paths] == [9260] * 5


def test_topics_are_read():
    found = list(texts.read_topics(dl19("topics.tsv")))
    assert len(found) == 43
    assert found[0] == ("1037798", "who is robert gray", "", "", "")


def test_passages_are_read():
    assert sum(1 for _ in texts.read_passages(dl19("passages.jsonl.gz"))) == 16_187


def test_all_39_runs_are_read_and_stored(tmp_path):
    found = {path: runs.read_run(path) for path in sorted(dl19("runs").iterdir())}
    assert len(found) == 39
    for path, run in found.items():
        assert 1 <= len(run.query_ids) <= 200
        run_store.save_run(run, tmp_path / path.name)
        assert ranked.rows(run_store.load_top_ranks(tmp_path / path.name, WHOLE)) == ranked.rows(run)
        top = run_store.load_top_ranks(tmp_path / path.name, 10)
        assert ranked.rows(top) == ranked.rows(runs.cut_run(run, 10))
    assert len({passage_id for run in found.values() for passage_id in run.passage_ids}) == 23_921


@pytest.mark.parametrize(("folder", "pairs"), [("dl20", 11_386), ("noveleval", 420)])
def test_other_qrels_are_read(folder, pairs):
    assert sum(1 for _ in qrels.read_qrels(shared_data.path(folder, "qrels.txt"))) == pairs


def test_a_small_collection_in_tabs_is_read():
    assert sum(1 for _ in texts.read_passages(shared_data.path("noveleval", "corpus.tsv"))) == 420
    assert sum(1 for _ in texts.read_topics(shared_data.path("noveleval", "queries.tsv"))) == 21

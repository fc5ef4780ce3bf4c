import numpy as np
import pytest

from annotate.formats import runs
from benchmarks import generated
from evaluation.engine import scoring
from evaluation.measures import registry

QRELS = {
    f"q{topic}": {f"d{number}": number % 4 - (number % 9 == 0) for number in range(40)} | {"8": 1} for topic in range(5)
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    paths = generated.write_runs(tmp_path_factory.mktemp("runs"), QRELS, systems=4, depth=100)
    return [runs.read_run(path) for path in paths]


def test_every_system_ranks_every_topic_to_the_depth(found):
    assert [run.tag for run in found] == ["generated00", "generated01", "generated02", "generated03"]
    for run in found:
        assert [len(run.ranking(query_id)) for query_id in QRELS] == [100] * 5


def test_scores_are_exact_in_32_bits_and_many_are_tied(found):
    for run in found:
        assert (run.scores.astype(np.float32) == run.scores).all()
        assert len(set(run.scores.tolist())) < len(run)


def test_some_passages_are_judged_and_most_are_not(found):
    for run in found:
        judged = sum(name in grades for query_id, grades in QRELS.items() for name in run.ranking(query_id))
        assert 0.2 * len(run) < judged < 0.4 * len(run)


def test_the_skilled_rank_better_than_the_others(found):
    measure = registry.parse("nDCG@10")
    poor, *_, good = [scoring.score_run(run, QRELS, [measure]).measures[measure].mean.number for run in found]
    assert poor + 0.2 < good


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path):
    contents = []
    for number, seed in enumerate([1, 1, 2]):
        folder = tmp_path / str(number)
        folder.mkdir()
        [path] = generated.write_runs(folder, QRELS, systems=1, depth=10, seed=seed)
        contents.append(path.read_bytes())
    assert contents[0] == contents[1] != contents[2]

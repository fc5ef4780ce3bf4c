import pytest

from annotate.formats import run_store
from annotate.grades import rankings
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def row():
    collection = factories.make_collection()
    factories.import_text(collection, "TOPICS", "q1\tfirst topic\n")
    lines = [f"q1 Q0 d{rank} {rank} {500 - rank} mine\n" for rank in range(1, 151)]
    factories.import_text(collection, "RUN", "".join(lines))
    [row] = rankings.published_runs(collection)
    return row


@pytest.fixture
def loads(monkeypatch):
    """The depths to which stored runs are read, in their order."""
    depths = []

    def load_top(path, depth):
        depths.append(depth)
        return original(path, depth)

    original = run_store.load_top_ranks
    monkeypatch.setattr(run_store, "load_top_ranks", load_top)
    return depths


@pytest.mark.parametrize(("depth", "ranks"), [(3, 3), (100, 100), (101, 101), (2**31 - 1, 150)])
def test_the_top_is_read_from_the_stored_run(row, depth, ranks):
    assert rankings.load_top(row, depth).ranking("q1") == [f"d{rank}" for rank in range(1, ranks + 1)]


def test_the_top_ranks_are_read_once_and_deep_ones_are_not_kept(row, loads):
    for depth in (10, 10, 150, 10, 150):
        rankings.load_top(row, depth)
    assert loads == [10, 150, 150]

"""The fast way of reading a run against the one that knows all that may be in it."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats import lines, run_rows, runs
from annotate.formats.faults import Faults
from tests import hostile, ranked

numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.decimals(-1000, 1000, places=6).map(str),
    st.sampled_from(["nan", "1e999", "1_0", ".5", "5.", "+1", "1e5", "x", "0x1"]),
)
names = st.one_of(st.sampled_from(["a", "b", "passage-number-17"]), hostile.ids)
gaps = st.sampled_from([" "] * 30 + ["\t", "  ", "\u3000"])


@st.composite
def files(draw):
    """Runs that are well-formed now and then."""
    tag = draw(names)
    rows = draw(st.lists(st.tuples(names, names, numbers), min_size=1, max_size=8))
    ends = st.sampled_from(["\n"] * 20 + ["\r\n", "\n\n", " \n"])
    return "".join(
        draw(gaps).join([query_id, "Q0", passage_id, "1", number, tag]) + draw(ends)
        for query_id, passage_id, number in rows
    )


@given(files(), st.integers(1, 3))
def test_what_the_scan_takes_is_what_the_lines_say(tmp_path_factory, content, depth):
    path = tmp_path_factory.getbasetemp() / "scanned.run"
    path.write_bytes(content.encode())
    scanned = run_rows.scan_run(path, Faults("x"))
    if scanned is None:
        return
    expected = run_rows.read_run_table(path, Faults("x"))
    assert (scanned.tag, scanned.query_ids) == (expected.tag, expected.query_ids)
    assert scanned.topics.tolist() == expected.topics.tolist()
    assert list(scanned.passage_ids) == list(expected.passage_ids)
    assert scanned.scores.tobytes() == expected.scores.tobytes()
    cut = runs.cut_run(runs.read_run(path), depth)
    assert ranked.rows(runs.read_run(path, depth=depth)) == ranked.rows(cut)


def big_run(path, n_topics, ranks, tag="t"):
    rng = np.random.default_rng(7)
    with path.open("w") as stream:
        for topic in range(n_topics):
            for rank, number in enumerate(rng.permutation(10 * ranks)[:ranks], 1):
                stream.write(f"{topic} Q0 p{number} {rank} {rng.integers(ranks) / 8} {tag}\n")
    return path


@pytest.mark.parametrize("block_bytes", [100, 5000, 1 << 18])
def test_the_top_is_the_same_in_whatever_blocks_the_file_is_read(tmp_path, monkeypatch, block_bytes):
    monkeypatch.setattr(lines, "BLOCK_BYTES", block_bytes)
    path = big_run(tmp_path / "big.run", 4, 60)
    expected = ranked.rows(runs.cut_run(runs.read_run(path), 10))
    rows = run_rows.scan_run(path, Faults("x"), 10)
    assert rows is not None
    assert ranked.rows(runs.read_run(path, depth=10)) == expected


def test_a_large_file_is_cut_to_few_rows_while_it_is_read(tmp_path):
    assert len(run_rows.scan_run(big_run(tmp_path / "big.run", 2, 5000), Faults("x"), 10).scores) < 200


@pytest.mark.parametrize("block_bytes", [16, 1 << 18])
@pytest.mark.parametrize(
    "content",
    [
        b"q Q0 a 1 3 t\nq Q0 b 2 2 t\nr Q0 a 1 3 t\nq Q0 a 4 1 t\n",
        b"q Q0 a 1 3 t\nq Q0 b 2 2 t\nr Q0 a 1 3 t\nq Q0 c 4 1 u\n",
        b"q Q0 a 1 3 t\nq Q0 b 2 2 t\nr Q0 a 1 3 t\nq Q0 c 4 nan t\n",
        b"",
    ],
)
def test_what_is_faulty_far_below_the_top_is_left_to_the_lines(write_file, monkeypatch, block_bytes, content):
    monkeypatch.setattr(lines, "BLOCK_BYTES", block_bytes)
    assert run_rows.scan_run(write_file(content, "x"), Faults("x"), 1) is None


def test_topics_need_not_stand_together(write_file):
    rows = run_rows.scan_run(write_file(b"q Q0 a 1 3 t\nr Q0 a 1 3 t\nq Q0 b 2 2 t\n", "x"), Faults("x"))
    assert (rows.query_ids, rows.topics.tolist()) == (["q", "r"], [0, 1, 0])


def test_the_scan_takes_a_fraction_of_the_time_that_lines_take(tmp_path):
    path = big_run(tmp_path / "big.run", 10, 1000)
    assert 2 * seconds(lambda: run_rows.scan_run(path, Faults("x"), 10)) < seconds(
        lambda: run_rows.read_run_table(path, Faults("x"))
    )


def seconds(read):
    """Processor time, the least of three."""
    took = []
    for _ in range(3):
        start = time.process_time()
        assert read() is not None
        took.append(time.process_time() - start)
    return min(took)

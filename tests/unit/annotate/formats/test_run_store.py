import os
import struct
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats import run_store, runs
from annotate.formats.faults import FileRefused
from tests import hostile, ranked

WHOLE = 2**31 - 1  # more ranks than any run has

scores = st.dictionaries(
    hostile.ids,
    st.dictionaries(hostile.ids, st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=6),
    min_size=1,
    max_size=4,
)
RUN = runs.build_run("t", {"q1": {"a": 1.0, "b": 2.0, "c": 0.5}, "q2": {"\u00e9" * 256: 0.1}})


def assert_same(found, expected):
    assert (found.tag, found.query_ids) == (expected.tag, expected.query_ids)
    assert found.offsets.tolist() == expected.offsets.tolist()
    assert ranked.rows(found) == ranked.rows(expected)


@given(hostile.ids, scores, st.integers(1, 7))
def test_a_stored_run_loads_equal_whole_and_in_part(tmp_path_factory, tag, scores, depth):
    path = tmp_path_factory.getbasetemp() / "round.stored"
    run = runs.build_run(tag, scores)
    run_store.save_run(run, path)
    assert_same(run_store.load_top_ranks(path, WHOLE), run)
    assert_same(run_store.load_top_ranks(path, depth), runs.cut_run(run, depth))


@pytest.mark.parametrize("depth", [1, 9, 10, 11, 99, 100, 101, 250, 2**31 - 1])
def test_the_top_is_the_same_in_whichever_band_of_the_file_it_ends(tmp_path, depth):
    lengths = {"q1": 250, "q2": 10, "q3": 101, "q4": 3}
    run = runs.build_run("t", {q: {f"d{n}": float(n % 7) for n in range(length)} for q, length in lengths.items()})
    run_store.save_run(run, tmp_path / "run")
    assert_same(run_store.load_top_ranks(tmp_path / "run", WHOLE), run)
    assert_same(run_store.load_top_ranks(tmp_path / "run", depth), runs.cut_run(run, depth))


def test_loading_the_top_reads_little(tmp_path):
    path = tmp_path / "run"
    run_store.save_run(runs.build_run("t", {"q": {f"d{n}": float(n) for n in range(100_000)}}), path)
    assert path.stat().st_size > 1_000_000
    tracemalloc.start()
    ranking = run_store.load_top_ranks(path, 2).ranking("q")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert ranking == ["d99999", "d99998"]
    assert peak < 200_000


def test_saving_replaces_and_leaves_no_other_file(tmp_path):
    path = tmp_path / "run"
    path.write_bytes(b"old")
    run_store.save_run(RUN, path)
    assert_same(run_store.load_top_ranks(path, WHOLE), RUN)
    assert [found.name for found in tmp_path.iterdir()] == ["run"]


def test_a_save_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "run"
    path.write_bytes(b"old")

    def fail(descriptor):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        run_store.save_run(RUN, path)
    assert [(found.name, found.read_bytes()) for found in tmp_path.iterdir()] == [("run", b"old")]


def test_the_same_run_gives_the_same_bytes(tmp_path):
    run_store.save_run(RUN, tmp_path / "a")
    run_store.save_run(RUN, tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("depth", [1, WHOLE])
def test_another_file_is_refused(write_file, depth):
    with pytest.raises(FileRefused, match="not a stored run"):
        run_store.load_top_ranks(write_file(b"q Q0 d 1 1 t\n", "x"), depth)


def test_a_cut_off_file_is_refused_wherever_it_is_cut(tmp_path):
    path = tmp_path / "run"
    run_store.save_run(RUN, path)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(FileRefused):
            run_store.load_top_ranks(path, WHOLE)


def test_a_bit_that_flipped_is_noticed_wherever_it_is(tmp_path):
    path = tmp_path / "run"
    run_store.save_run(RUN, path)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with pytest.raises(FileRefused):
            run_store.load_top_ranks(path, WHOLE)


def test_a_file_of_an_older_version_has_no_checksums_and_loads(tmp_path):
    path = tmp_path / "run"
    header = b'{"tag": "t", "query_ids": ["q1"], "ranks": [1], "edges": [10, 100], "id_bytes": [2, 0, 0]}'
    path.write_bytes(b"lacuna run 2\n" + struct.pack("<Q", len(header)) + header + struct.pack("<d", 0.5) + b"a\n")
    assert_same(run_store.load_top_ranks(path, WHOLE), runs.build_run("t", {"q1": {"a": 0.5}}))

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats import runs
from evaluation.engine import run_index

FIRST = runs.build_run("first", {"q2": {"a": 1.0}, "q1": {"a": 3.0, "é": 2.0, "b": 1.0}})
SECOND = runs.build_run("second", {"q1": {"b": 2.0, "c": 1.0}, "q3": {"a": 1.0}})
KEY = "of these files"

rankings = st.dictionaries(st.sampled_from("abcdé"), st.integers(0, 3).map(float), min_size=1)
systems = st.lists(st.dictionaries(st.sampled_from(["q1", "q2", "日"]), rankings, min_size=1), max_size=3)


def same(one, other):
    return (
        (one.run_tags, one.topics, one.starts, list(one.passage_ids))
        == (other.run_tags, other.topics, other.starts, list(other.passage_ids))
    ) and np.array_equal(one.at_ranks, other.at_ranks)


def ranking(index, run, query_id):
    """The passages of a topic as the index tells them."""
    names = [*index.passage_ids, None]
    found = [names[number] for number in index.at_ranks[run, index.topics.index(query_id)]]
    return [name for name in found if name is not None]


def test_each_topic_has_its_passages_once_and_each_rank_its_passage():
    index = run_index.build([FIRST, SECOND])
    assert (index.run_tags, index.topics) == (("first", "second"), ("q1", "q2", "q3"))
    assert index.places == {"q1": {"a": 0, "é": 1, "b": 2, "c": 3}, "q2": {"a": 4}, "q3": {"a": 5}}
    assert index.at_ranks.tolist() == [[[0, 1, 2], [4, 6, 6], [6, 6, 6]], [[2, 3, 6], [6, 6, 6], [5, 6, 6]]]
    assert index.ranked_topics() == [{"q1", "q2"}, {"q1", "q3"}]


def test_only_the_ranks_asked_for_are_in_it():
    index = run_index.build([FIRST, SECOND], 1)
    assert (index.at_ranks.shape, list(index.passage_ids)) == ((2, 3, 1), ["a", "b", "a", "a"])


@given(systems, st.integers(1, 4), st.sets(st.sampled_from("abcdé")))
def test_below_the_ranks_asked_for_stand_the_passages_that_are_wanted_and_no_others(systems, depth, wanted):
    found = [runs.build_run(f"t{number}", scores) for number, scores in enumerate(systems)]
    index = run_index.build(found, depth, beyond={"q1": wanted})
    for place, run in enumerate(found):
        for query_id in run.query_ids:
            every = run.ranking(query_id)
            below = [name for name in every[depth:] if query_id == "q1" and name in wanted]
            assert ranking(index, place, query_id) == every[:depth] + below


@given(systems=systems, depth=st.sampled_from([None, 1, 2]))
def test_what_is_stored_is_what_was_built_and_holds_every_ranking(tmp_path_factory, systems, depth):
    found = [runs.build_run(f"t{number}", scores) for number, scores in enumerate(systems)]
    path = tmp_path_factory.mktemp("indexes") / "of.index"
    index = run_index.build(iter(found), depth)
    run_index.save(index, path, KEY)
    read = run_index.load(path, KEY)
    assert same(read, index)
    for place, run in enumerate(found):
        assert [ranking(read, place, query_id) for query_id in read.topics] == [
            run.ranking(query_id, depth) for query_id in read.topics
        ]


def test_an_index_of_other_files_or_none_is_no_answer(tmp_path):
    path = tmp_path / "of.index"
    assert run_index.load(path, KEY) is None
    run_index.save(run_index.build([FIRST]), path, "of earlier files")
    assert run_index.load(path, KEY) is None


@pytest.mark.parametrize("damage", [lambda whole: b"", lambda whole: whole[:-1], lambda whole: b"x" + whole])
def test_a_damaged_index_is_no_answer(tmp_path, damage):
    path = tmp_path / "of.index"
    run_index.save(run_index.build([FIRST]), path, KEY)
    path.write_bytes(damage(path.read_bytes()))
    assert run_index.load(path, KEY) is None


def test_no_single_byte_may_change(tmp_path):
    path = tmp_path / "of.index"
    index = run_index.build([FIRST, SECOND])
    run_index.save(index, path, KEY)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert run_index.load(path, KEY) is None


@pytest.mark.parametrize("header", [b"[]", b"7", b'"key"', b"{}", b'{"key": "of these files"}', b"{", b"\xff"])
def test_what_has_another_header_is_no_index(tmp_path, header):
    path = tmp_path / "of.index"
    run_index.save(run_index.build([FIRST]), path, KEY)
    magic, _, rest = path.read_bytes().split(b"\n", 2)
    path.write_bytes(b"\n".join([magic, header, rest]))
    assert run_index.load(path, KEY) is None


def test_a_failed_save_leaves_the_earlier_file_and_nothing_beside_it(tmp_path):
    path = tmp_path / "of.index"
    run_index.save(run_index.build([FIRST]), path, KEY)
    with pytest.raises(TypeError):
        run_index.save(run_index.build([SECOND]), path, key=object())
    assert [found.name for found in tmp_path.iterdir()] == ["of.index"]
    assert same(run_index.load(path, KEY), run_index.build([FIRST]))


def test_those_who_store_and_read_at_once_meet_only_whole_files(tmp_path):
    path, indexes = tmp_path / "of.index", [run_index.build([FIRST]), run_index.build([SECOND])]
    run_index.save(indexes[0], path, KEY)
    writers = [
        threading.Thread(target=lambda index=index: [run_index.save(index, path, KEY) for _ in range(50)])
        for index in indexes
    ]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        read = run_index.load(path, KEY)
        assert same(read, indexes[0]) or same(read, indexes[1])
    assert [found.name for found in tmp_path.iterdir()] == ["of.index"]

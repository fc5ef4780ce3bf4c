import gzip
import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats import lines, run_store, runs
from annotate.formats.faults import FileRefused, Refused
from tests import hostile, ranked

WHOLE = 2**31 - 1  # more ranks than any run has

scores = st.dictionaries(
    hostile.ids,
    st.dictionaries(hostile.ids, st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=6),
    min_size=1,
    max_size=4,
)


def faults_of(content, write_file):
    with pytest.raises(FileRefused) as caught:
        runs.read_run(write_file(content, "x"), name="x.run")
    return [str(fault) for fault in caught.value.faults]


@given(hostile.ids, scores)
def test_what_is_written_reads_back_equal(tmp_path_factory, tag, scores):
    path = tmp_path_factory.getbasetemp() / "round.run"
    run = runs.build_run(tag, scores)
    with path.open("wb") as stream:
        runs.write_run(run, stream)
    found = runs.read_run(path)
    assert (found.tag, found.query_ids) == (run.tag, run.query_ids)
    assert ranked.rows(found) == ranked.rows(run)
    collected = {}
    for query_id, passage_id, score in ranked.rows(found):
        collected.setdefault(query_id, {})[passage_id] = score
    assert collected == scores


def test_a_run_is_written_with_ranks_and_exact_scores():
    stream = io.BytesIO()
    runs.write_run(runs.build_run("mine", {"q2": {"a": 0.1, "b": 30}, "q10": {"\u00e9": -1e-300}}), stream)
    assert stream.getvalue() == ("q10 Q0 \u00e9 1 -1e-300 mine\nq2 Q0 b 1 30.0 mine\nq2 Q0 a 2 0.1 mine\n".encode())


CONTENT = b"q1 Q0 a 1 .5 t\nq2 Q0 a 1 1e1 t\nq1 Q0 b 9 5E-1 t\nq1 Q0 c 2 -1. t\n"


@pytest.mark.parametrize(
    "content",
    [
        CONTENT,
        CONTENT.replace(b"\n", b"\r\n"),
        CONTENT.replace(b" ", b" \t "),
        CONTENT.replace(b"\n", b"\n\n"),
        CONTENT.rstrip(),
        b"\xef\xbb\xbf" + CONTENT,
        gzip.compress(CONTENT, mtime=0),
    ],
)
def test_a_run_is_in_the_order_of_its_scores_whatever_its_ranks(write_file, content):
    run = runs.read_run(write_file(content, "x"))
    assert (run.tag, run.query_ids, run.offsets.tolist(), len(run)) == ("t", ("q1", "q2"), [0, 3, 4], 4)
    assert ranked.rows(run) == [("q1", "b", 0.5), ("q1", "a", 0.5), ("q1", "c", -1), ("q2", "a", 10)]


@pytest.mark.parametrize(
    ("depth", "expected"), [(None, ["b", "a", "c"]), (0, []), (2, ["b", "a"]), (9, ["b", "a", "c"])]
)
def test_a_ranking_is_cut_at_a_depth(write_file, depth, expected):
    assert runs.read_run(write_file(CONTENT, "x")).ranking("q1", depth) == expected


@pytest.mark.parametrize("query_id", ["", "q", "q11", "z"])
def test_a_topic_that_the_run_lacks_has_an_empty_ranking(write_file, query_id):
    assert runs.read_run(write_file(CONTENT, "x")).ranking(query_id) == []


@pytest.mark.parametrize("blank_line", [b"", b"\n"])
def test_a_run_read_to_a_depth_is_the_top_of_the_whole(write_file, blank_line):
    path = write_file(CONTENT + blank_line, "x")
    assert ranked.rows(runs.read_run(path, depth=2)) == ranked.rows(runs.cut_run(runs.read_run(path), 2))


@pytest.mark.parametrize("content", [CONTENT, CONTENT + b"\n"])
def test_a_run_comes_through_a_pipe_too(content):
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    try:
        assert runs.read_run(f"/dev/fd/{reading}").ranking("q1") == ["b", "a", "c"]
    finally:
        os.close(reading)


def test_several_runs_are_read_in_the_order_of_their_files(write_file):
    paths = [write_file(b"q Q0 a 1 1 t%d\nq Q0 b 2 0 t%d\n" % (n, n), f"{n}") for n in range(5)]
    found = list(runs.read_runs(paths, depth=1))
    assert [(run.tag, run.ranking("q")) for run in found] == [(f"t{n}", ["a"]) for n in range(5)]


def test_the_first_faulty_file_of_several_is_named(write_file):
    paths = [write_file(content, name) for content, name in [(CONTENT, "good"), (b"bad\n", "bad"), (b"", "empty")]]
    with pytest.raises(FileRefused, match="bad, line 1: expected 6 columns"):
        list(runs.read_runs(paths))


@given(scores, st.integers(1, 4))
def test_the_top_of_a_run_is_the_top_of_each_ranking(scores, depth):
    run = runs.build_run("t", scores)
    top = runs.cut_run(run, depth)
    assert top.query_ids == run.query_ids
    for query_id in run.query_ids:
        assert top.ranking(query_id) == run.ranking(query_id, depth)
        assert top.scores[top.rows(query_id)].tolist() == run.scores[run.rows(query_id, depth)].tolist()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("q Q0 d 1 2", "expected 6 columns (query_id Q0 passage_id rank score run_tag), found 5"),
        ("q Q0 d 1 1.0 my run", "expected 6 columns (query_id Q0 passage_id rank score run_tag), found 7"),
        ("q Q0 d 1 NaN t", "score 'NaN' is not a finite number"),
        ("q Q0 d 1 inf t", "score 'inf' is not a finite number"),
        ("q Q0 d 1 -Infinity t", "score '-Infinity' is not a finite number"),
        ("q Q0 d 1 1e999 t", "score '1e999' is not a finite number"),
        ("q Q0 d 1 high t", "score 'high' is not a number"),
        ("q Q0 d 1 1_0 t", "score '1_0' is not a number"),
        ("q Q0 d 1 1,5 t", "score '1,5' is not a number"),
        ("q Q0 d 1 \u0663 t", "score '\u0663' is not a number"),
        ("q Q0 d\u00a01 0.5 t", "expected 6 columns (query_id Q0 passage_id rank score run_tag), found 5"),
        ("q Q0 d\x1f1 0.5 t", "expected 6 columns (query_id Q0 passage_id rank score run_tag), found 5"),
        ("q Q0 d\u30001 1 0.5 t", "id 'd\\u30001' has white space in it (U+3000)"),
        ("q Q0 d\x07 1 0.5 t", "id 'd\\x07' has the character U+0007 in it, which an id cannot have"),
        ("q Q0 d 1 0.5 t\0", "byte 15 is a NUL"),
        (f"q Q0 {'d' * 600} 1 0.5 t", f"id '{'d' * 20}'... is longer than 512 bytes"),
        (f"{'q' * 600} Q0 d 1 0.5 t", f"id '{'q' * 20}'... is longer than 512 bytes"),
        ("q Q0 a 2 0.5 t", "passage 'a' of topic 'q' is on line 1 already"),
        ("q Q0 d 2 0.5 T", "run tag 'T' differs from 't' on line 1: one run a file"),
    ],
)
def test_a_faulty_line_is_named_with_its_reason(write_file, line, reason):
    content = f"q Q0 a 1 1 t\nq Q0 b 2 0.5 t\n{line}\nq Q0 c 3 0.25 t\n".encode()
    assert faults_of(content, write_file) == [f"x.run, line 3: {reason}"]


def test_lines_of_five_and_seven_columns_do_not_make_up_for_each_other(write_file):
    assert len(faults_of(b"q Q0 a 1 1 t q\nQ0 b 2 0.5 t\n", write_file)) == 2


def test_a_passage_may_stand_in_two_topics_but_not_twice_in_one(write_file):
    content = b"q1 Q0 a 1 3 t\nq2 Q0 a 1 3 t\n\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\n"
    assert faults_of(content, write_file) == ["x.run, line 5: passage 'a' of topic 'q1' is on line 1 already"]


def test_all_faults_of_a_file_are_told_at_once(write_file):
    content = b"q Q0 a 1 1 t\nq Q0 a 2 1 t\nq Q0 \xff 3 1 t\nq Q0 b 4 x t\nq Q0 c 5 1 u\n"
    assert [fault.split(":")[0] for fault in faults_of(content, write_file)] == [
        f"x.run, line {number}" for number in (2, 3, 4, 5)
    ]


def test_two_runs_in_a_file_are_refused_once_for_each_tag(write_file):
    content = b"".join(b"q Q0 %s%d 1 1 %s\n" % (tag, n, tag) for tag in (b"a", b"b", b"c") for n in range(3))
    assert faults_of(content, write_file) == [
        "x.run, line 4: run tag 'b' differs from 'a' on line 1: one run a file",
        "x.run, line 7: run tag 'c' differs from 'a' on line 1: one run a file",
    ]


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_an_empty_run_is_refused(write_file, content):
    assert faults_of(content, write_file) == ["x.run: the run has no lines"]


def test_a_file_without_a_good_line_is_refused_for_its_faults(write_file):
    assert faults_of(b"bad\n", write_file)[0].startswith("x.run, line 1: expected 6 columns")


def test_lines_are_numbered_through_all_blocks(write_file, monkeypatch):
    monkeypatch.setattr(lines, "BLOCK_BYTES", 64)
    good = [f"q Q0 d{number} 1 {-number} t\n" for number in range(1, 101)]
    good[49] = "\n"
    content = "".join([*good, "q Q0 d7 1 1 t\n"]).encode()
    assert faults_of(content, write_file) == ["x.run, line 101: passage 'd7' of topic 'q' is on line 7 already"]


@pytest.mark.parametrize("name", ["\u00e9", "e\u0301", "\u6771\u4eac", "a\u200cb", "x" * 512])
def test_ids_that_are_not_plain_are_read_as_they_are(write_file, name):
    run = runs.read_run(write_file(f"{name} Q0 {name} 1 1 {name}\n".encode(), "x"))
    assert (run.tag, run.query_ids, run.ranking(name)) == (name, (name,), [name])


def test_topics_without_passages_are_left_out():
    assert runs.build_run("t", {"q1": {}, "q2": {"a": 1.0}}).query_ids == ("q2",)


@pytest.mark.parametrize(
    ("tag", "scores", "reason"),
    [
        ("t", {}, "the run has no lines"),
        ("t", {"q": {"a": float("nan")}}, "a score is not a finite number"),
        ("t", {"q": {"a": float("inf")}}, "a score is not a finite number"),
        ("my run", {"q": {"a": 1.0}}, "id 'my run' has white space"),
        ("t", {"q": {"a b": 1.0}}, "id 'a b' has white space"),
    ],
)
def test_a_run_that_could_not_be_read_again_is_not_built(tag, scores, reason):
    with pytest.raises(Refused, match=reason):
        runs.build_run(tag, scores)


def test_a_run_can_be_cut_to_some_of_its_topics():
    run = runs.build_run("t", {"q1": {"a": 1.0, "b": 2.0}, "q2": {"c": 1.0}, "q3": {"d": 1.0, "e": 0.5}})
    cut = runs.select_topics(run, {"q3", "q1", "q9"})
    assert ranked.rows(cut) == [row for row in ranked.rows(run) if row.query_id != "q2"]
    assert runs.select_topics(run, run.query_ids) is run
    assert ranked.rows(runs.select_topics(run, ())) == []


def test_topics_without_a_passage_can_be_told_and_are_stored(tmp_path):
    run = runs.build_run("t", {"q2": {"a": 1.0, "b": 2.0}, "q4": {"c": 1.0}})
    told = runs.with_topics(run, ["q5", "q1", "q2", "q3"])
    assert (told.query_ids, told.ranking("q3")) == (("q1", "q2", "q3", "q4", "q5"), [])
    assert ranked.rows(told) == ranked.rows(run)
    run_store.save_run(told, tmp_path / "stored")
    for depth in (10, WHOLE):
        stored = run_store.load_top_ranks(tmp_path / "stored", depth)
        assert (stored.query_ids, ranked.rows(stored)) == (told.query_ids, ranked.rows(run))
    assert run_store.load_query_ids(tmp_path / "stored") == list(told.query_ids)

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats import qrels
from annotate.formats.faults import FileRefused, Refused
from annotate.formats.records import GradeScale, Qrel
from tests import hostile

grades = st.dictionaries(hostile.ids, st.dictionaries(hostile.ids, st.integers(-2, 99), min_size=1), max_size=5)


def flat(graded):
    return [Qrel(query_id, *pair) for query_id, pairs in graded.items() for pair in pairs.items()]


def faults_of(path, **options):
    with pytest.raises(FileRefused) as caught:
        list(qrels.read_qrels(path, name="x.qrels", **options))
    return [str(fault) for fault in caught.value.faults]


@given(grades, st.randoms())
def test_what_is_written_reads_back_equal(tmp_path_factory, graded, random):
    path = tmp_path_factory.getbasetemp() / "round.qrels"
    records = flat(graded)
    random.shuffle(records)
    with path.open("wb") as stream:
        qrels.write_qrels(records, stream)
    found = list(qrels.read_qrels(path))
    assert qrels.collect_qrels(found) == graded
    assert found == sorted(found, key=lambda record: (record.query_id.encode(), record.passage_id.encode()))


def test_the_bytes_do_not_depend_on_the_order_of_the_records():
    records = [Qrel("q2", "d1", 0), Qrel("q10", "\u00e9", 1), Qrel("q10", "z", -1), Qrel("Q", "d", 3)]
    first, second = io.BytesIO(), io.BytesIO()
    qrels.write_qrels(records, first)
    qrels.write_qrels(reversed(records), second)
    assert first.getvalue() == second.getvalue()
    assert first.getvalue() == "Q 0 d 3\nq10 0 z -1\nq10 0 \u00e9 1\nq2 0 d1 0\n".encode()


@pytest.mark.parametrize(
    "content", [b"q 0 d 1\n", b"q\tQ0\td\t1\r\n", b"\xef\xbb\xbf q  0   d 1", b"\nq 0 d +1\n\n", b"q 0 d 01\n"]
)
def test_a_grade_is_read_in_any_white_space(write_file, content):
    assert list(qrels.read_qrels(write_file(content, "x"))) == [("q", "d", 1)]


def test_ids_stay_byte_for_byte(write_file):
    names = ["007", "7", "A1", "a1", "D1.2/a:b", "\u00e9", "e\u0301", "\u6771"]
    content = "".join(f"{name} 0 {name} 1\n" for name in names)
    assert [record.query_id for record in qrels.read_qrels(write_file(content.encode(), "x"))] == names


def test_negative_grades_are_kept_on_any_scale(write_file):
    path = write_file(b"q 0 a -1\nq 0 b -2\n", "x")
    assert [record.grade for record in qrels.read_qrels(path, scale=GradeScale())] == [-1, -2]


def test_without_a_scale_any_whole_number_will_do(write_file):
    assert [record.grade for record in qrels.read_qrels(write_file(b"q 0 a 7\n", "x"))] == [7]


def test_a_grade_off_the_scale_is_refused(write_file):
    path = write_file(b"q 0 a 2\nq 0 b 3\n", "x")
    assert faults_of(path, scale=GradeScale(0, 2)) == ["x.qrels, line 2: grade 3 is off the scale 0-2"]


@pytest.mark.parametrize("grade", ["1.0", "2.5", "nan", "x", "1_0", "\u0663", "--1", "0x1"])
def test_a_grade_that_is_not_a_whole_number_is_refused(write_file, grade):
    path = write_file(f"q 0 d {grade}\n".encode(), "x")
    assert faults_of(path) == [f"x.qrels, line 1: grade {grade!r} is not a whole number"]


def test_a_grade_of_thousands_of_digits_is_refused(write_file):
    path = write_file(b"q 0 d " + b"9" * 5000, "x")
    assert faults_of(path) == [f"x.qrels, line 1: grade '{'9' * 20}' has more than 9 characters"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("q 0 d", "expected 4 columns (query_id 0 passage_id grade), found 3"),
        ("q 0 doc 1 2", "expected 4 columns (query_id 0 passage_id grade), found 5"),
        ("q 0 d\u00a01 2", "id 'd\\xa01' has white space in it (U+00A0)"),
        ("q\x1c 0 d 2", "id 'q\\x1c' has white space in it (U+001C)"),
        ("q 0 d\0 2", "byte 6 is a NUL"),
    ],
)
def test_a_faulty_line_is_named_with_its_reason(write_file, line, reason):
    path = write_file(f"q 0 a 1\n\n{line}\n".encode(), "x")
    assert faults_of(path) == [f"x.qrels, line 3: {reason}"]


@pytest.mark.parametrize("again", [0, 2])
def test_a_pair_that_comes_twice_is_refused_with_both_lines(write_file, again):
    path = write_file(f"q1 0 d1 2\nq2 0 d1 0\nq1 0 d1 {again}\n".encode(), "x")
    assert faults_of(path) == ["x.qrels, line 3: passage 'd1' of topic 'q1' is on line 1 already"]


def test_all_faults_of_a_file_are_told_at_once(write_file):
    path = write_file(b"q 0 a x\nq 0 b 1\nq 0 b 1\nq\nq 0 \xff 1\n", "x")
    assert [fault.split(":")[0] for fault in faults_of(path)] == [f"x.qrels, line {n}" for n in (1, 3, 4, 5)]


def test_reading_stops_after_a_hundred_faults(write_file):
    with pytest.raises(FileRefused) as caught:
        list(qrels.read_qrels(write_file(b"bad\n" * 150, "x")))
    assert (len(caught.value.faults), caught.value.has_more) == (100, True)


def test_a_file_without_a_name_given_is_called_by_its_path(write_file):
    path = write_file(b"bad\n", "mine.qrels")
    with pytest.raises(FileRefused, match=r"mine\.qrels, line 1: expected 4 columns"):
        list(qrels.read_qrels(path))


def test_a_qrels_file_may_have_no_grade(write_file):
    assert list(qrels.read_qrels(write_file(b"", "x"))) == []


def test_a_pair_is_collected_once():
    with pytest.raises(Refused, match="passage 'd' of topic 'q' comes twice"):
        qrels.collect_qrels([Qrel("q", "d", 1), Qrel("q", "d", 1)])


@pytest.mark.parametrize("bad", [Qrel("q", "d", 0), Qrel("q 1", "e", 0), Qrel("q", "", 0), Qrel("q", "a\nb", 0)])
def test_nothing_is_written_of_what_cannot_be_read_again(bad):
    stream = io.BytesIO()
    with pytest.raises(Refused):
        qrels.write_qrels([Qrel("q", "d", 1), bad], stream)
    assert stream.getvalue() == b""

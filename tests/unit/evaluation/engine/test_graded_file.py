import pytest

from annotate.formats.faults import FileRefused
from annotate.formats.records import GradeScale
from evaluation.engine import grade_files


def test_grades_off_the_scale_are_left_out_and_counted_and_negative_ones_kept(tmp_path):
    path = tmp_path / "q.txt"
    path.write_text("q1 0 a 3\nq1 0 b 4\nq1 0 c -1\nq1 0 d -2\nq2 0 a 7\n")
    found = grade_files.read_grades(path, GradeScale(0, 3))
    assert found.qrels == {"q1": {"a": 3, "c": -1, "d": -2}, "q2": {}}
    assert found.left_out() == {"off_scale": 2, "negative": 2}


def test_anything_else_that_is_wrong_refuses_the_file(tmp_path):
    path = tmp_path / "q.txt"
    path.write_text("q1 0 a 1\nq1 0 a 1\n")
    with pytest.raises(FileRefused, match="line 2"):
        grade_files.read_grades(path, GradeScale(0, 3))

"""Predictions in files: CSV of probabilities beside the JSON lines."""

import gzip

import pytest

from annotate.formats import predictions
from annotate.formats.faults import FileRefused
from annotate.formats.predictions import Prediction
from annotate.formats.records import GradeScale

SCALE = GradeScale(0, 2)
HEAD = "query_id,passage_id,0,1,2\n"


@pytest.fixture
def read(tmp_path):
    def read_text(text, scale=SCALE, name="p.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return predictions.read_predictions(path, scale)

    return read_text


def reasons(read, text, **how):
    with pytest.raises(FileRefused) as refused:
        read(text, **how)
    return [(fault.line, fault.reason) for fault in refused.value.faults]


def test_columns_may_stand_in_any_order_and_others_are_passed_over(read):
    found = read('why,2, passage_id ,0,query_id,1\n"so, there",0.25,D/1,0.5,007,0.25\n')
    assert found == [Prediction(2, "007", "D/1", None, "null", (0.5, 0.25, 0.25))]


def test_the_columns_are_those_of_the_scale(read):
    assert read("query_id,passage_id,1,2\nq,p,0.5,0.5\n", scale=GradeScale(1, 2))[0].probabilities == (0.5, 0.5)
    wanted = "the first line must name these columns, each once: query_id, passage_id, 0, 1, 2"
    for head in ("query_id,passage_id,0,1\n", HEAD[:-1] + ",2\n", "q,p,0,1,2\n"):
        assert reasons(read, head + "q,p,1,0,0\n") == [(1, wanted)]


def test_json_lines_are_known_by_name_or_by_their_brace_and_gzip_is_unpacked(read):
    line = '{"query_id": "q", "passage_id": "p", "grade": 1, "probabilities": [0, 1, 0]}\n'
    expected = [Prediction(1, "q", "p", 1, "1", (0.0, 1.0, 0.0))]
    assert (
        read(line, name="p.jsonl") == read(line, name="p") == read(gzip.compress(line.encode()), name="p") == expected
    )


def test_every_bad_row_is_named(read):
    rows = ["q,a,0.5,0.5", "q,b,x,0,1", "q,c,0.5,0.5,0.5", "q,c d,1,0,0", "q,e,1,0,0", "q,e,1,0,0", "q,f,nan,0,0"]
    assert [line for line, _ in reasons(read, HEAD + "\n".join(rows))] == [2, 3, 4, 5, 7, 8]
    assert reasons(read, HEAD + rows[0]) == [(2, "has 4 cells for 5 columns")]
    assert reasons(read, HEAD + rows[1]) == [(2, "'x' is not a number")]
    assert reasons(read, HEAD + f"q,{'p' * 200_000},1,0,0") == [(2, "not CSV: field larger than field limit (131072)")]


def test_a_file_without_a_line_and_one_that_is_not_there_are_refused(read, tmp_path):
    assert reasons(read, "\n") == [(None, "the file has no lines")]
    with pytest.raises(FileRefused, match="cannot be read"):
        predictions.read_predictions(tmp_path / "absent.csv", SCALE)
    assert read(HEAD) == []

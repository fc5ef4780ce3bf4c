import csv
import io
import json

import pytest

from annotate.exports import rules as exports_rules


def table(folder, comment):
    """The comment's cell as a reader of CSV gets it."""
    record = {"query_id": "q1", "passage_id": "d1", "grade": 2, "source": "people", "rater": "people"}
    path = folder / "provenance.jsonl"
    path.write_text(json.dumps({**record, "judgments": [{"comment": comment, "grade": 2}]}) + "\n", encoding="utf-8")
    (row,) = csv.DictReader(io.StringIO("".join(exports_rules.provenance_csv(path)), newline=""))
    assert (row["query_id"], row["judgment_grade"]) == ("q1", "2")
    return row["judgment_comment"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_cell_that_a_spreadsheet_would_compute_gets_an_apostrophe(tmp_path, start):
    assert table(tmp_path, f"{start}1+1") == f"'{start}1+1"


@pytest.mark.parametrize("comment", ['a,"b"\nc', "a\rb", "1=1", "naïve", ""])
def test_any_other_text_comes_back_as_it_was(tmp_path, comment):
    assert table(tmp_path, comment) == comment

"""Files and scores as DataFrames: ids stay text, faults stay named, scores are those of the command."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from annotate.formats.faults import FileRefused, Refused
from evaluation import frames

QRELS = "007 0 d1 3\n007 0 NA 0\n7 0 1e5 1\n7 0 d2 2\n"
RUN = "7 Q0 1e5 1 2.0 sys\n7 Q0 d9 2 1.0 sys\n007 Q0 NA 1 9.5 sys\n007 Q0 d1 2 9.0 sys\n"


@pytest.fixture
def write(tmp_path):
    def written(name, text):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return written


def test_ids_stay_text_whatever_they_look_like(write):
    grades = frames.read_qrels(write("qrels.txt", QRELS))
    assert grades.values.tolist() == [["007", "d1", 3], ["007", "NA", 0], ["7", "1e5", 1], ["7", "d2", 2]]
    assert grades["grade"].dtype == "int64"
    run = frames.read_run(write("a.run", RUN))
    assert list(run.columns) == ["run_tag", "query_id", "passage_id", "rank", "score"]
    assert run.values.tolist() == [
        ["sys", "007", "NA", 1, 9.5],
        ["sys", "007", "d1", 2, 9.0],
        ["sys", "7", "1e5", 1, 2.0],
        ["sys", "7", "d9", 2, 1.0],
    ]
    assert frames.read_run(write("b.run", RUN), depth=1)["passage_id"].tolist() == ["NA", "1e5"]


def test_a_wrong_file_is_refused_with_its_lines(write):
    with pytest.raises(FileRefused, match="line 2: expected 4 columns"):
        frames.read_qrels(write("qrels.txt", "q1 0 d1 1\nq1 0 d2\n"))
    table = write("t.csv", "query_id,passage_id,m|direct\nq1,d1,2\nq1,d1,1\n")
    with pytest.raises(FileRefused, match="line 3: passage 'd1' of topic 'q1' is on line 2 already"):
        frames.read_model_grades(table)


def test_a_label_without_a_grade_is_missing_and_no_zero(write):
    labels = frames.read_model_grades(write("t.csv", "query_id,passage_id,m|direct\n01,d1,2\n01,d2,\n"))
    assert labels["grade"].isna().tolist() == [False, True]
    assert labels[["query_id", "model", "prompt"]].values.tolist() == [["01", "m", "direct"]] * 2


def test_provenance_is_a_row_a_pair(write):
    record = {"query_id": "01", "passage_id": "d1", "grade": 2, "judgments": [{"grade": 2}]}
    assert frames.read_provenance(write("p.jsonl", json.dumps(record) + "\n")).to_dict("records") == [record]
    with pytest.raises(FileRefused, match="line 2: not JSON"):
        frames.read_provenance(write("p.jsonl", json.dumps(record) + "\n{\n"))


def test_scores_are_those_of_the_command(write):
    qrels, run = write("qrels.txt", QRELS), write("a.run", RUN)
    out = io.StringIO()
    call_command(
        "score", "--qrels", str(qrels), "--run", str(run), "--measures", "nDCG@10,P@1", "--per-topic", stdout=out
    )
    expected = json.loads(out.getvalue())["runs"][0]["measures"]
    scores = frames.score_runs([run], frames.read_qrels(qrels), "nDCG@10,P@1")
    for measure, by_topic in scores.groupby("measure"):
        values = dict(zip(by_topic["query_id"], by_topic["value"], strict=True))
        assert values == expected[measure]["by_topic"]


def test_grades_can_be_taken_out_and_none_can_come_twice(write):
    run, grades = write("a.run", RUN), frames.read_qrels(write("qrels.txt", QRELS))
    without = frames.score_runs([run], grades[grades["passage_id"] != "1e5"], "P@1")
    assert without.set_index("query_id")["value"].to_dict() == {"007": 0.0, "7": 0.0}
    with pytest.raises(Refused, match="comes twice"):
        frames.score_runs([run], grades.iloc[[0, 0]])


def test_a_notebook_needs_no_settings():
    code = "from evaluation import frames; import sys; assert 'django' not in sys.modules; frames.SCALE.high"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_the_documentation_shows_runs(write, monkeypatch, tmp_path):
    page = (Path(__file__).resolve().parents[3] / "docs/python.md").read_text()
    code = "\n".join(line[4:] for line in page.splitlines() if line.startswith("    "))
    write("qrels.txt", QRELS)
    write("bm25.run.gz", RUN)
    write("dense.run", RUN.replace("sys", "dense"))
    write("judgments.jsonl", '{"query_id": "7", "passage_id": "d1", "judgment": 2, "model": "m"}\n')
    write("provenance.jsonl", '{"query_id": "7"}\n')
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(code, names)
    assert list(names["scores"].columns) == ["run_tag", "measure", "query_id", "value"]
    assert len(names["without"]) == 2

from annotate.formats.records import GradeScale
from evaluation.engine import grade_files

CSV = "query_id,passage_id,0,1,2,3\nq1,u,0.5,0,0,0.5\nq1,a,1,0,0,0\nq1,p,0,1,0,0\nq9,x,1,0,0,0\n"


def test_chances_are_read_by_topic_and_what_becomes_of_them_is_counted(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text(CSV)
    found = grade_files.read_probabilities(path, GradeScale())
    assert found.probabilities["q1"]["u"] == (0.5, 0.0, 0.0, 0.5)
    assert found.counts({"q1": {"a": 3, "p": -1}, "q2": {}}) == {
        "filling_holes": 2,
        "graded_already": 1,
        "of_other_topics": 1,
        "without_probabilities": 0,
    }


def test_a_prediction_without_probabilities_is_none_and_a_scale_from_1_has_no_chance_of_0(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text(
        '{"query_id": "q", "passage_id": "a", "grade": 2}\n'
        '{"query_id": "q", "passage_id": "b", "grade": null, "probabilities": [0.25, 0.75]}\n'
    )
    found = grade_files.read_probabilities(path, GradeScale(1, 2))
    assert (found.probabilities, found.without) == ({"q": {"b": (0.0, 0.25, 0.75)}}, 1)

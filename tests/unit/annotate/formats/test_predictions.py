"""Predictions, as JSON lines and as a list."""

import json

import pytest
from hypothesis import given

from annotate.formats import predictions
from annotate.formats.faults import FileRefused
from annotate.formats.predictions import Prediction
from annotate.formats.records import GradeScale
from tests import hostile

SCALE = GradeScale(0, 3)
GOOD = {"query_id": "q", "passage_id": "p", "grade": 1}


def faults(*values, scale=SCALE):
    with pytest.raises(FileRefused) as refused:
        predictions.parse_list(values, scale)
    return [(fault.line, fault.reason) for fault in refused.value.faults]


def test_a_line_is_a_prediction_and_other_fields_are_passed_over():
    line = b'{"query_id": "007", "passage_id": "D1.2/a:b", "grade": 2, "probabilities": [0, 0.1, 0.9, 0], "query": "x"}'
    assert predictions.parse_lines(line, SCALE) == [Prediction(1, "007", "D1.2/a:b", 2, "2", (0.0, 0.1, 0.9, 0.0))]


def test_lines_are_counted_with_the_blank_ones_and_a_byte_order_mark_is_no_part_of_them():
    content = b'\xef\xbb\xbf\n{"query_id": "q", "passage_id": "p", "grade": null, "reason": "why"}\r\n'
    assert predictions.parse_lines(content, SCALE) == [Prediction(2, "q", "p", None, "null", None, "why")]


def test_nothing_is_no_predictions():
    assert predictions.parse_lines(b"\n", SCALE) == predictions.parse_list([], SCALE) == []


@pytest.mark.parametrize(
    ("said", "grade", "answer"),
    [
        (0, 0, "0"),
        (3.0, 3, "3"),
        (4, None, "4"),
        (-1, None, "-1"),
        (2.5, None, "2.5"),
        (10**400, None, "1" + "0" * 400),
    ],
)
def test_a_number_off_the_scale_is_kept_as_an_answer_without_a_grade(said, grade, answer):
    (prediction,) = predictions.parse_list([{**GOOD, "grade": said}], SCALE)
    assert (prediction.grade, prediction.answer) == (grade, answer)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"grade": "2"}, "grade is neither a number nor null"),
        ({"grade": True}, "grade is neither a number nor null"),
        ({"grade": float("nan")}, "grade is not a finite number"),
        ({"query_id": 7}, "query_id is the number 7: an id is text in quotes, since a number loses leading zeros"),
        ({"passage_id": "a b"}, "id 'a b' has white space in it (U+0020)"),
        ({"reason": ["a"]}, "reason is a list instead of text"),
        ({"reason": "\0"}, "reason has a NUL in it"),
        ({"probabilities": [0.5, 0.5]}, "probabilities is not a list of 4 numbers, one for each grade of 0-3"),
        ({"probabilities": [0.5, 0.5, 0.5, 0]}, "probabilities are not numbers from 0 to 1 that sum to 1"),
        ({"probabilities": [float("nan"), 1, 0, 0]}, "probabilities are not numbers from 0 to 1 that sum to 1"),
        ({"probabilities": [True, 0, 0, 0]}, "probabilities are not numbers from 0 to 1 that sum to 1"),
        ({"probabilities": ["1", 0, 0, 0]}, "probabilities are not numbers from 0 to 1 that sum to 1"),
    ],
)
def test_a_fault_is_named_with_its_line(changed, reason):
    assert faults(GOOD, {**GOOD, "passage_id": "other", **changed}) == [(2, reason)]


def test_a_missing_grade_is_a_fault_since_null_says_that_there_is_none():
    assert faults({"query_id": "q", "passage_id": "p"}) == [(1, "lacks grade; null says that the model gave none")]


def test_what_is_no_object_is_a_fault():
    assert faults(GOOD, 3) == [(2, "not a JSON object")]


def test_a_pair_that_comes_twice_names_both_lines_even_with_the_same_grade():
    assert faults(GOOD, GOOD) == [(2, "passage 'p' of topic 'q' is on line 1 already")]


def test_all_faults_of_all_lines_are_told_together():
    content = b'{"query_id": "q"}\n{\n\xff\n{"query_id": "q", "passage_id": "p", "grade": 1}\n'
    with pytest.raises(FileRefused) as refused:
        predictions.parse_lines(content, SCALE)
    assert [fault.line for fault in refused.value.faults] == [1, 2, 3]


def test_reading_stops_after_a_hundred_faults():
    with pytest.raises(FileRefused) as refused:
        predictions.parse_list([0] * 200, SCALE)
    assert len(refused.value.faults) == 100
    assert refused.value.has_more


@given(hostile.ids, hostile.ids, hostile.texts)
def test_ids_and_reasons_come_through_byte_for_byte(query_id, passage_id, reason):
    line = json.dumps({"query_id": query_id, "passage_id": passage_id, "grade": 0, "reason": reason})
    (prediction,) = predictions.parse_lines(line.encode(), SCALE)
    assert (prediction.query_id, prediction.passage_id, prediction.reason) == (query_id, passage_id, reason)

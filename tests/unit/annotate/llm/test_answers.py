"""From a model's words to a grade: what is not plainly one, at its place, is none."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats.records import GradeScale
from annotate.llm import answers
from annotate.llm.answers import FINAL_GRADE, GRADE_FIELD, LAST_LINE, NUMBER, Answer, GradePlace, PlaceRefused, State
from annotate.llm.messages import Reply, Stop
from tests import shared_data

SCALE = GradeScale(0, 3)
PLACES = [NUMBER, LAST_LINE, FINAL_GRADE, GRADE_FIELD, GradePlace.parse("json: result.O")]
TEXTS = st.text(max_size=60) | st.text(alphabet='final grade:score0123 *#{}"`\n.-/<think>', max_size=60)


def parse(text, place=FINAL_GRADE):
    return answers.parse_answer(text, SCALE, place)


@pytest.mark.parametrize(
    ("text", "place", "grade"),
    [
        ("2", NUMBER, 2),
        (" 3\n", NUMBER, 3),
        *(("2", place, 2) for place in PLACES),
        *((text, NUMBER, 2) for text in ("**2**", "2.", "Grade: 2", '"2"', "`2`", "Final grade: 2 (Highly relevant)")),
        *(
            (text, NUMBER, 2)
            for text in ('{"grade": "2"}', '{"grade": 2}', "```\n2\n```", '```JSON\n{"grade": 2}\n```')
        ),
        ("It answers in part.\n\n2", LAST_LINE, 2),
        ("It answers in part.\n**Grade: 2**\n", LAST_LINE, 2),
        ("It serves the need.\nFinal grade: 3", FINAL_GRADE, 3),
        ("**Final grade:** 2", FINAL_GRADE, 2),
        ("Final grade: **2**.", FINAL_GRADE, 2),
        ("final grade = 1", FINAL_GRADE, 1),
        ("relevant to 2 topics. ##final score: 0", FINAL_GRADE, 0),
        ("Final grade: 1\nTo say it again.\nFinal grade: 1", FINAL_GRADE, 1),
        ("It is near. Relevance Category: 1", GradePlace.parse("mark: Relevance Category"), 1),
        ('{"grade": 2}', GRADE_FIELD, 2),
        ('```json\n{"reason": "so", "grade": 0}\n```', GRADE_FIELD, 0),
        ('Here it is:\n```\n{"grade": 3}\n```\n', GRADE_FIELD, 3),
        ('Here it is:\n{"grade": 3}', GRADE_FIELD, 3),
        ('[{"M": 2, "T": 3, "O": 1}]', GradePlace.parse("json: O"), 1),
        ('{"result": {"O": 1}}', GradePlace.parse("json: result.O"), 1),
        ("<think>Could be final grade: 3 but...</think>\n\n1", FINAL_GRADE, 1),
        ("<think>x</think>\n\n2", NUMBER, 2),
        ('<think>x</think>\n{"grade": 2}', GRADE_FIELD, 2),
        ("thinking without its beginning</think>\n2", NUMBER, 2),
    ],
)
def test_a_plain_grade_is_found_at_its_place(text, place, grade):
    assert (parse(text, place).state, parse(text, place).grade) == (State.DONE, grade)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        *(
            (text, place)
            for text in ("10", "7/10", "2.5", "-1", "2 or 3", "1e0", "4", "٣", "２", "02")
            for place in PLACES
        ),
        *(
            (text, FINAL_GRADE)
            for text in ("final score: 4", "final score: -1", "final grade: 2.5", "final grade: 2/3")
        ),
        *(
            (text, FINAL_GRADE)
            for text in ("final grade: 1 or 2", "final grade:", "semifinal grade: 2", "the grade is 2")
        ),
        ("final grade: 1\nfinal grade: 2", FINAL_GRADE),
        ("##final score: 1\n(between 1 and 3)", FINAL_GRADE),
        *(("Grade: 2\nGrade: 3", place) for place in PLACES),
        ("The passage says\nFinal grade: 3\nbut I cannot grade it.", FINAL_GRADE),
        ("I will not write\nFinal score: 3\nas it asks.", FINAL_GRADE),
        ("I will not write Final score: 3", FINAL_GRADE),
        ("Final grade: 3\n\nOn second thought it is 1.", FINAL_GRADE),
        *(("Final grade: 3\n1", place) for place in PLACES),
        ("It answers in part.\n\n2", NUMBER),
        *((text, GRADE_FIELD) for text in ('{"grade": 2.0}', '{"grade": true}', '{"grade": null}', '{"score": 2}')),
        *((text, GRADE_FIELD) for text in ("[2]", '{"grade": 9}', '{"grade": 2', '{"grade": 2} and more')),
        *((text, GRADE_FIELD) for text in ('{"grade": 1, "grade": 3}', '```\n{"grade": 2}', '{"grade": 3}\nNo: 1.')),
        ('I will not write {"grade": 3}', GRADE_FIELD),
        ("<think>a</think>3</think>1", NUMBER),
        ("<think>Final grade: 3", FINAL_GRADE),
        *(("{" * 5_000, place) for place in PLACES),
        *(('{"a":' * 50_000, place) for place in PLACES),
        (f'{{"grade": {"9" * 5_000}}}', GRADE_FIELD),
        ("I cannot assess this passage.", NUMBER),
    ],
)
def test_what_is_not_plainly_a_grade_of_the_scale_is_none(text, place):
    assert (parse(text, place).state, parse(text, place).grade) == (State.UNPARSED, None)


@pytest.mark.parametrize("text", ["", " ", "\n\t", "<think>so</think> "])
def test_nothing_said_is_told_apart(text):
    assert parse(text).state is State.EMPTY


def test_the_reason_is_what_stands_before_the_mark_or_in_the_other_fields():
    assert parse("It tells the price.\nFinal grade: 2").reason == "It tells the price."
    assert parse('{"intent": "a price", "trust": " fine ", "grade": 2}', GRADE_FIELD).reason == "a price\nfine"
    assert parse("2").reason == ""


def test_thinking_is_kept_apart_from_the_reason():
    said = parse("<think>Perhaps 3.</think>It tells the price.\nFinal grade: 2")
    assert (said.thinking, said.reason) == ("Perhaps 3.", "It tells the price.")


@pytest.mark.parametrize(
    ("stop", "state"), [(Stop.FILTER, State.FILTERED), (Stop.REFUSAL, State.REFUSED), (Stop.LENGTH, State.TRUNCATED)]
)
def test_how_the_model_stopped_comes_before_what_it_said(stop, state):
    assert answers.read_answer(Reply("3", stop, ""), SCALE, NUMBER) == Answer(state)


@given(TEXTS, st.sampled_from(Stop), st.sampled_from(PLACES))
def test_only_an_answer_that_is_done_has_a_grade_and_it_is_of_the_scale(text, stop, place):
    said = answers.read_answer(Reply(text, stop, ""), SCALE, place)
    assert (said.grade is not None) == (said.state is State.DONE)
    assert said.grade is None or said.grade in SCALE


@given(st.integers(0, 3), st.text(max_size=40))
def test_json_that_we_ask_for_is_read_whatever_the_reason_says(grade, reason):
    text = json.dumps({"reason": reason, "grade": grade})
    if "</think>" not in reason:
        assert (parse(text, GRADE_FIELD).grade, parse(text, GRADE_FIELD).reason) == (grade, reason.strip())


@pytest.mark.parametrize("text", ["number", "last line", "mark: Final grade | Final score", "json: result.O"])
def test_the_text_of_a_place_reads_back(text):
    assert str(GradePlace.parse(text)) == text


@pytest.mark.parametrize("text", ["", "nowhere", "mark:", "json", "number: 2", "mark: a ||", "json: a..b"])
def test_a_text_that_names_no_place_is_refused(text):
    with pytest.raises(PlaceRefused):
        GradePlace.parse(text)


def test_real_answers_are_read_as_their_authors_read_them():
    """2,170 raw answers of three models to three published prompts."""
    places = {
        "grade alone": NUMBER,
        "explanation, then the grade": GradePlace.parse("mark: Relevance Category"),
        "JSON with M, T, O": GradePlace.parse("json: O"),
    }
    with gzip.open(shared_data.path("answers", "answers.jsonl.gz"), "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    read = [(parse(row["response"], places[row["prompt"]]).grade, row["grade"]) for row in rows]
    assert not [pair for pair in read if pair[0] is not None and pair[0] != pair[1]]
    assert sum(ours == theirs for ours, theirs in read) >= 0.99 * len(rows)

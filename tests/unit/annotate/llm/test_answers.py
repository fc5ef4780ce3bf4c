"""From a model's words to a grade: what is not plainly one is none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats.scale import GradeScale
from annotate.llm import answers
from annotate.llm.answers import Answer, State
from annotate.llm.messages import Reply, Stop

SCALE = GradeScale(0, 3)
TEXTS = st.text(max_size=60) | st.text(alphabet='final grade:score0123 *#{}"`\n.-/', max_size=60)


def parse(text):
    return answers.parse_answer(text, SCALE)


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        ("##final score: 1\n(between 1 and 3, compared to 3 others)", 1),
        ("relevant to 2 topics. ##final score: 0", 0),
        ("2", 2),
        (" 3\n", 3),
        ("It serves the need.\nFinal grade: 3", 3),
        ("**Final grade:** 2", 2),
        ("Final grade: **2**.", 2),
        ("final grade = 1", 1),
        ("Final grade: 1\nTo say it again, final grade: 1", 1),
        ('{"grade": 2}', 2),
        ('```json\n{"reason": "so", "grade": 0}\n```', 0),
        ('```\n{"grade": 3}\n```\n', 3),
    ],
)
def test_a_plain_grade_is_found(text, grade):
    assert (parse(text).state, parse(text).grade) == (State.DONE, grade)


@pytest.mark.parametrize(
    "text",
    [
        *("10", "score 7/10", "2.5", "-1", "7/10", "2 or 3", "1e0", "4", "5", "٣", "two"),
        *("final score: 4", "final score: -1", "final grade: 2.5", "final grade: 2/3", "final grade: 1 or 2"),
        *("final grade:", "final grade: 1\nfinal grade: 2", "semifinal grade: 2", "the grade is 2"),
        *(
            '{"grade": "2"}',
            '{"grade": 2.0}',
            '{"grade": true}',
            '{"grade": null}',
            '{"score": 2}',
            "[2]",
            '{"grade": 9}',
        ),
        *('{"grade": 2', '{"grade": 2} and more', '```\n{"grade": 2}', '{"grade": 1, "grade": 3}'),
        "{" * 5_000,
        '{"a":' * 50_000,
        f'{{"grade": {"9" * 5_000}}}',
        "I cannot assess this passage.",
    ],
)
def test_what_is_not_plainly_a_grade_of_the_scale_is_none(text):
    assert parse(text) == Answer(State.UNPARSED)


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_nothing_said_is_told_apart(text):
    assert parse(text) == Answer(State.EMPTY)


def test_the_reason_is_what_stands_before_the_mark_or_in_the_other_fields():
    assert parse("It tells the price.\nFinal grade: 2").reason == "It tells the price."
    assert parse('{"intent": "a price", "trust": " fine ", "grade": 2}').reason == "a price\nfine"
    assert parse("2").reason == ""


@pytest.mark.parametrize(
    ("stop", "state"),
    [(Stop.FILTER, State.FILTERED), (Stop.REFUSAL, State.REFUSED), (Stop.LENGTH, State.TRUNCATED)],
)
def test_how_the_model_stopped_comes_before_what_it_said(stop, state):
    assert answers.read_answer(Reply("3", stop, ""), SCALE) == Answer(state)


@given(TEXTS, st.sampled_from(Stop))
def test_only_an_answer_that_is_done_has_a_grade_and_it_is_of_the_scale(text, stop):
    said = answers.read_answer(Reply(text, stop, ""), SCALE)
    assert (said.grade is not None) == (said.state is State.DONE)
    assert said.grade is None or said.grade in SCALE


@given(st.integers(0, 3), st.text(max_size=40))
def test_json_that_we_ask_for_is_read_whatever_the_reason_says(grade, reason):
    said = parse(json.dumps({"reason": reason, "grade": grade}))
    assert (said.grade, said.reason) == (grade, reason.strip())

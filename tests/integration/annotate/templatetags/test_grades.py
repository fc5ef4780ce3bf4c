import pytest

from annotate.models import Guidelines, Suggestion
from annotate.templatetags.grades import grade_chip, grade_class, probability_rows


def words(low: int, high: int) -> Guidelines:
    return Guidelines(grade_words=[{"grade": grade, "name": f"word {grade}"} for grade in range(low, high + 1)])


@pytest.mark.parametrize(
    ("scale", "steps"), [((0, 3), [0, 1, 2, 3]), ((0, 2), [0, 2, 3]), ((0, 1), [0, 3]), ((1, 5), [0, 1, 2, 3, 3])]
)
def test_the_lowest_grade_is_grey_and_the_highest_has_the_last_step(scale, steps):
    guidelines = words(*scale)
    assert [grade_class(word["grade"], guidelines) for word in guidelines.grade_words] == [f"grade-{s}" for s in steps]


@pytest.mark.parametrize("grade", [None, -1, -2, 4])
def test_what_is_no_grade_of_the_scale_has_no_step(grade):
    assert grade_class(grade, words(0, 3)) == "grade-none"


def test_a_chip_has_number_and_word():
    assert grade_chip(2, words(0, 3)) == {"grade": 2, "word": "word 2", "css_class": "grade-2"}


def test_probabilities_are_told_from_the_highest_grade_down():
    rows = probability_rows(Suggestion(probabilities=[0.1, 0.9]), words(0, 1))
    assert [(row["grade"], row["percent"]) for row in rows] == [(1, 90), (0, 10)]

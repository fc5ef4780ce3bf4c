import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats.faults import Refused
from annotate.formats.records import GradeScale


def test_the_scale_is_0_to_3_unless_said():
    assert str(GradeScale()) == "0-3"
    assert list(GradeScale().grades) == [0, 1, 2, 3]


@pytest.mark.parametrize(("grade", "is_on"), [(-1, False), (0, True), (2, True), (3, False), ("1", False)])
def test_a_grade_is_on_the_scale_between_its_ends(grade, is_on):
    assert (grade in GradeScale.parse("0-2")) is is_on


@given(st.integers(0, 9), st.data())
def test_the_text_of_a_scale_reads_back(low, data):
    scale = GradeScale(low, data.draw(st.integers(low + 1, 10)))
    assert GradeScale.parse(str(scale)) == scale


@pytest.mark.parametrize("text", ["", "3", "0-", "-1-3", "0..3", "0 - 3", "a-b", "0-3\n", "\u0660-\u0663"])
def test_another_shape_is_refused(text):
    with pytest.raises(Refused, match="is not a grade scale such as 0-3"):
        GradeScale.parse(text)


@pytest.mark.parametrize("text", ["3-0", "2-2"])
def test_a_scale_has_at_least_two_grades(text):
    with pytest.raises(Refused, match="goes from 0 or more up to a higher grade"):
        GradeScale.parse(text)


@pytest.mark.parametrize("text", ["0-11", "0-600"])
def test_a_scale_ends_where_people_can_still_tell_its_grades(text):
    with pytest.raises(Refused, match=f"grades go up to 10, not to {text[2:]}"):
        GradeScale.parse(text)

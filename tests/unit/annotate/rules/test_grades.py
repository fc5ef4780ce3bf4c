import pytest

from annotate.rules import completion


@pytest.mark.parametrize(
    ("grade", "closes", "judged"), [(-2, True, False), (-1, False, False), (0, True, True), (3, True, True)]
)
def test_what_a_grade_means_for_its_pair(grade, closes, judged):
    assert completion.closes_hole(grade) is closes
    assert completion.is_judged(grade) is judged

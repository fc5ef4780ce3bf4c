import pytest

from annotate.rules import completion


@pytest.mark.parametrize(
    ("rule", "grades", "grade"),
    [
        ("MAJORITY", [], None),
        ("MAJORITY", [2], 2),
        ("MAJORITY", [2, 1], None),
        ("MAJORITY", [2, 1, 2], 2),
        ("MAJORITY", [2, 2, 1, 1], None),
        ("MAJORITY", [0, 1, 2], None),
        ("MEDIAN", [1, 3], 1),
        ("MEDIAN", [3, 0, 2], 2),
        ("MEDIAN", [3, 0, 2, 1], 1),
        ("MAXIMUM", [0, 2, 1], 2),
        ("UNANIMOUS", [1, 1], 1),
        ("UNANIMOUS", [1, 2], None),
        ("UNANIMOUS", [0], 0),
    ],
)
def test_what_each_rule_makes_of_the_grades(rule, grades, grade):
    assert completion.find_consensus(rule, grades) == grade


def test_an_unknown_rule_is_refused():
    with pytest.raises(ValueError, match="no such consensus rule"):
        completion.find_consensus("MEAN", [1, 2])

import pytest

from annotate.exports import rules as exports_rules


@pytest.mark.parametrize(
    ("rule", "grades", "told"),
    [
        ("MAJORITY", [2], "unanimous"),
        ("MAJORITY", [2, 2, 2], "unanimous"),
        ("MAJORITY", [2, 2, 1], "majority"),
        ("MAJORITY", [2, 1], "unresolved"),
        ("MAJORITY", [], "unresolved"),
        ("MEDIAN", [0, 1, 3], "median"),
        ("MAXIMUM", [0, 3], "maximum"),
        ("UNANIMOUS", [1, 1], "unanimous"),
        ("UNANIMOUS", [1, 2], "unresolved"),
        ("ADJUDICATED", [1, 1], "unresolved"),
    ],
)
def test_how_people_came_to_a_grade(rule, grades, told):
    assert exports_rules.name_provenance(rule, grades) == told
    assert exports_rules.name_provenance(rule, grades, is_adjudicated=True) == "adjudicated"


def test_a_near_duplicate_names_the_pair_that_it_follows():
    assert exports_rules.name_propagation("d 1") == "propagated from d 1"

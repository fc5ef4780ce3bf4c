import pytest

from evaluation.agreement.value import Value
from evaluation.statistics import system_pairs
from evaluation.statistics.system_pairs import SystemPair


def pair(difference, is_significant, names="ab"):
    return SystemPair(names[0], names[1], difference, Value(0.01 if is_significant else 0.5), is_significant)


@pytest.mark.parametrize(
    ("reference", "other", "expected"),
    [
        (pair(0.1, True), pair(0.2, True), "AA"),
        (pair(0.1, True), pair(-0.2, True), "AD"),
        (pair(0.1, True), pair(0.2, False), "MA"),
        (pair(-0.1, False), pair(0.2, True), "MD"),
        (pair(-0.1, False), pair(-0.2, False), "PA"),
        (pair(0.1, False), pair(-0.2, False), "PD"),
        (pair(0.0, False), pair(-0.2, False), "PA"),
        (pair(0.0, False), pair(0.0, False), "PA"),
    ],
)
def test_the_class_is_how_many_sides_are_significant_and_whether_the_same_system_is_ahead(reference, other, expected):
    assert system_pairs.class_of_pair(reference, other) == expected


def test_pairs_are_listed_by_class_with_what_was_lost_and_found():
    reference = [pair(0.1, True, "ab"), pair(0.3, True, "ac"), pair(0.1, False, "bc"), pair(0.1, False, "cd")]
    other = [pair(0.1, True, "ab"), pair(-0.3, False, "ac"), pair(0.2, True, "bc"), pair(-0.1, False, "cd")]
    found = system_pairs.compare_pairs(reference, other)
    assert found.pairs == {
        "AA": (("a", "b"),),
        "AD": (),
        "MA": (("b", "c"),),
        "MD": (("a", "c"),),
        "PA": (),
        "PD": (("c", "d"),),
    }
    assert (found.lost, found.found) == ((("a", "c"),), (("b", "c"),))
    assert [found.share(name).value for name in system_pairs.CLASSES] == [0.25, 0, 0.25, 0.25, 0, 0.25]


def test_without_pairs_a_share_is_undefined():
    assert system_pairs.compare_pairs([], []).share("AA").reason == "fewer than two systems"


@pytest.mark.parametrize("other", [[], [pair(0.1, True, "ac")], [pair(0.1, True, "ba")]])
def test_other_pairs_are_refused(other):
    with pytest.raises(ValueError, match="the same pairs"):
        system_pairs.compare_pairs([pair(0.1, True)], other)

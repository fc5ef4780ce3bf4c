import pytest

from annotate.collections import rules as collections_rules

OPEN = {"is_ended": False, "is_expired": False, "places": 2, "used": 1}


def test_a_link_with_a_place_left_is_open():
    collections_rules.check_open(**OPEN)
    assert collections_rules.is_open(**OPEN)


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        ({"is_ended": True}, "was taken back"),
        ({"is_expired": True}, "The time of this invitation is over"),
        ({"used": 2}, "All places of this invitation are taken"),
    ],
)
def test_a_link_that_is_not_open_says_why_and_whom_to_ask(fact, sentence):
    with pytest.raises(collections_rules.NotOpen, match=f"{sentence}.*Ask the researcher for a new link"):
        collections_rules.check_open(**OPEN | fact)
    assert not collections_rules.is_open(**OPEN | fact)

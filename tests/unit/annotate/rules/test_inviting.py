import pytest

from annotate.rules import inviting

OPEN = {"is_ended": False, "is_expired": False, "places": 2, "used": 1}


def test_a_link_with_a_place_left_is_open():
    inviting.check_open(**OPEN)
    assert inviting.is_open(**OPEN)


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        ({"is_ended": True}, "was taken back"),
        ({"is_expired": True}, "The time of this invitation is over"),
        ({"used": 2}, "All places of this invitation are taken"),
    ],
)
def test_a_link_that_is_not_open_says_why_and_whom_to_ask(fact, sentence):
    with pytest.raises(inviting.NotOpen, match=f"{sentence}.*Ask the researcher for a new link"):
        inviting.check_open(**OPEN | fact)
    assert not inviting.is_open(**OPEN | fact)

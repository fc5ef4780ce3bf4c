import pytest

from evaluation.measures import gains


@pytest.mark.parametrize(
    ("gain", "expected"),
    [("linear", [0, 1, 2, 3]), ("exp", [0, 1, 3, 7]), ("0/1/5/10", [0, 1, 5, 10]), ("0/0.5/0.5/1", [0, 0.5, 0.5, 1])],
)
def test_each_kind_of_gain_gives_its_values(gain, expected):
    assert gains.gain_table(gain, 3).tolist() == expected


def test_a_list_that_ends_below_the_scale_is_refused():
    with pytest.raises(gains.GainsTooShort, match="ends at grade 2, but the scale goes to 3"):
        gains.gain_table("0/1/2", 3)


@pytest.mark.parametrize("text", ["quadratic", "", "0/1/x", "0//1"])
def test_what_is_no_gain_is_refused(text):
    with pytest.raises(ValueError, match="is not linear, exp or a list"):
        gains.check_gain(text)


@pytest.mark.parametrize("text", ["0/2/1", "-1/0/1", "0/nan/1", "0/1/inf"])
def test_gains_that_fall_or_are_no_finite_numbers_from_0_up_are_refused(text):
    with pytest.raises(ValueError, match="never fall"):
        gains.check_gain(text)


@pytest.mark.parametrize(
    ("gain", "rel", "expected"),
    [("linear", 2, [0, 0, 1, 1]), ("exp", 1, [0, 1, 1, 1]), ("2/5", 3, [2, 2, 2, 5]), ("linear", 4, [0, 0, 0, 0])],
)
def test_binary_grades_gain_what_0_and_1_gain(gain, rel, expected):
    assert gains.gain_table(gain, 3, rel).tolist() == expected

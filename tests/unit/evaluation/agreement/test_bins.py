from evaluation.agreement import groups


def binned(*values, number=4):
    found = groups.bin_by_quantiles({("q", f"d{place}"): value for place, value in enumerate(values)}, number)
    return [str(found["q", f"d{place}"]) for place in range(len(values))]


def test_bins_hold_about_equally_many():
    found = binned(*range(100))
    assert [found.count(each) for each in dict.fromkeys(found)] == [25, 25, 25, 25]


def test_equal_values_share_a_bin_even_if_fewer_bins_are_left():
    assert binned(0, 0, 0, 0, 0, 0, 0, 9) == ["0"] * 7 + ["9"]
    assert binned(5, 5, 5) == ["5", "5", "5"]


def test_bins_are_ordered_by_their_values_and_not_by_their_words():
    assert groups.Bin(9, 10) < groups.Bin(11, 12)


def test_nothing_to_bin_gives_no_bin():
    assert groups.bin_by_quantiles({}) == {}

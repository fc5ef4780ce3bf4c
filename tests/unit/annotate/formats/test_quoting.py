from annotate.formats import faults


def test_what_is_short_stands_as_it_is():
    assert faults.quoted("x" * 60) == repr("x" * 60)
    assert faults.quoted(["a", 1, None]) == "['a', 1, None]"


def test_what_is_long_is_cut_whatever_it_is():
    for value in ("x" * 61, "x" * 20_000, "\x00" * 60, ["x" * 20_000], {"x" * 20_000: 1}, 10**4000):
        told = faults.quoted(value)
        assert (len(told), told[-3:]) == (63, "...")

import pytest

from annotate.rules import drawing

PAIRS = [(f"q{t}", f"d{p}") for t in range(20) for p in range(30)]


def test_topic_by_topic_keeps_the_pairs_of_a_topic_together():
    ordered = sorted(PAIRS, key=lambda pair: drawing.order_key("TOPIC", 1, *pair))
    changes = sum(a[0] != b[0] for a, b in zip(ordered, ordered[1:], strict=False))
    assert changes == 19


def test_random_mixes_the_topics():
    ordered = sorted(PAIRS, key=lambda pair: drawing.order_key("RANDOM", 1, *pair))
    changes = sum(a[0] != b[0] for a, b in zip(ordered, ordered[1:], strict=False))
    assert changes > 400


@pytest.mark.parametrize("order", ["TOPIC", "RANDOM"])
def test_keys_fit_the_column_and_differ(order):
    keys = {drawing.order_key(order, 1, *pair) for pair in PAIRS}
    assert len(keys) == len(PAIRS)
    assert all(0 <= key < 2**62 for key in keys)


@pytest.mark.parametrize("order", ["TOPIC", "RANDOM"])
def test_another_seed_gives_another_order(order):
    def ranked(seed):
        return sorted(PAIRS, key=lambda pair: drawing.order_key(order, seed, *pair))

    assert ranked(1) != ranked(2)


def test_an_unknown_order_is_refused():
    with pytest.raises(ValueError, match="no such order"):
        drawing.order_key("ALPHABET", 1, "q", "d")


@pytest.mark.parametrize("order", drawing.DRAWN)
def test_what_a_draw_does_not_name_comes_behind_all_other_keys(order):
    keys = {drawing.order_key(order, 1, *pair) for pair in PAIRS}
    assert len(keys) == len(PAIRS)
    assert all(2**62 <= key < 2**63 for key in keys)


def test_the_largest_value_comes_first_and_equal_ones_by_the_bytes_of_their_ids():
    values = {("q2", "d1"): 0.5, ("q1", "é"): 0.5, ("q1", "z"): 0.5, ("q1", "a"): 0.0, ("q3", "a"): 2.0}
    assert sorted(drawing.order_by_value(values).items(), key=lambda item: item[1]) == [
        (("q3", "a"), 0),
        (("q1", "z"), 1),
        (("q1", "é"), 2),
        (("q2", "d1"), 3),
        (("q1", "a"), 4),
    ]


def test_pairs_that_are_mixed_in_are_scattered_evenly_among_the_others():
    keys = drawing.scatter_pairs(PAIRS, 100, seed=3).values()
    quarters = [sum(start <= key < start + 25 for key in keys) for start in range(0, 100, 25)]
    assert sum(quarters) == len(PAIRS) == 600
    assert all(110 < count < 190 for count in quarters)


def test_pairs_are_mixed_in_among_none():
    assert set(drawing.scatter_pairs(PAIRS, 0, seed=3).values()) == {0}

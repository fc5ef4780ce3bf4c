import pytest

from annotate.rules import ordering

PAIRS = [(f"q{t}", f"d{p}") for t in range(20) for p in range(30)]


def test_topic_by_topic_keeps_the_pairs_of_a_topic_together():
    ordered = sorted(PAIRS, key=lambda pair: ordering.order_key("TOPIC", 1, *pair))
    changes = sum(a[0] != b[0] for a, b in zip(ordered, ordered[1:], strict=False))
    assert changes == 19


def test_random_mixes_the_topics():
    ordered = sorted(PAIRS, key=lambda pair: ordering.order_key("RANDOM", 1, *pair))
    changes = sum(a[0] != b[0] for a, b in zip(ordered, ordered[1:], strict=False))
    assert changes > 400


@pytest.mark.parametrize("order", ["TOPIC", "RANDOM"])
def test_keys_fit_the_column_and_differ(order):
    keys = {ordering.order_key(order, 1, *pair) for pair in PAIRS}
    assert len(keys) == len(PAIRS)
    assert all(0 <= key < 2**62 for key in keys)


@pytest.mark.parametrize("order", ["TOPIC", "RANDOM"])
def test_another_seed_gives_another_order(order):
    def ranked(seed):
        return sorted(PAIRS, key=lambda pair: ordering.order_key(order, seed, *pair))

    assert ranked(1) != ranked(2)


def test_an_unknown_order_is_refused():
    with pytest.raises(ValueError, match="no such order"):
        ordering.order_key("ALPHABET", 1, "q", "d")

from annotate.rules import drawing


def test_the_same_seed_and_names_give_the_same_number():
    assert drawing.seeded_number(1, "a", "b") == drawing.seeded_number(1, "a", "b")


def test_names_are_told_apart_by_their_lengths():
    assert drawing.seeded_number(1, "a", "bc") != drawing.seeded_number(1, "ab", "c")


def test_another_seed_gives_another_number():
    assert drawing.seeded_number(1, "a") != drawing.seeded_number(2, "a")


def test_numbers_stay_below_two_to_the_bits():
    assert all(drawing.seeded_number(seed, "x", bits=5) < 32 for seed in range(200))


def test_shares_are_spread_over_the_unit_interval():
    shares = [drawing.seeded_share(seed, "x") for seed in range(4000)]
    assert 0 <= min(shares) < 0.01 < 0.99 < max(shares) < 1
    assert abs(sum(shares) / len(shares) - 0.5) < 0.02

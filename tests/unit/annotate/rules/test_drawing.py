from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_the_pool_is_the_union_of_the_top_ranks_with_the_best_rank_of_each():
    runs = [{"q1": ["a", "b", "c"], "q2": ["x"]}, {"q1": ["b", "d"]}]
    assert drawing.pool_runs(runs, 2) == {("q1", "a"): 1, ("q1", "b"): 1, ("q2", "x"): 1, ("q1", "d"): 2}


def test_a_depth_below_one_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        drawing.pool_runs([], 0)


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


GRADES = {(f"q{n % 7}", f"d{n}"): n % 4 for n in range(400)}  # 100 of each grade


def draw(**changes):
    return drawing.draw_holes(GRADES, **{"chosen": [1, 2, 3], "fraction": 0.5, "seed": 1, **changes})


def test_each_chosen_grade_loses_its_share_and_the_others_nothing():
    holes = draw(fraction=0.29)
    assert [sum(GRADES[pair] == grade for pair in holes) for grade in range(4)] == [0, 29, 29, 29]


def test_the_share_is_rounded_down():
    few = {("q", f"d{n}"): 1 for n in range(7)}
    assert len(drawing.draw_holes(few, chosen=[1], fraction=0.5, seed=1)) == 3


@pytest.mark.parametrize("tenths", range(1, 11))
def test_a_decimal_share_of_a_round_number_is_exact(tenths):
    assert len(draw(chosen=[2], fraction=tenths / 10)) == tenths * 10


def test_the_same_seed_draws_the_same_holes_in_any_order_of_the_grades():
    shuffled = dict(sorted(GRADES.items(), reverse=True))
    assert drawing.draw_holes(shuffled, chosen=[3, 2, 1], fraction=0.5, seed=1) == draw()


def test_another_seed_draws_other_holes():
    assert draw(seed=2) != draw()


def test_a_larger_share_holds_the_smaller_one():
    assert draw(fraction=0.3) < draw(fraction=0.6)


@pytest.mark.parametrize("fraction", [0, -0.1, 1.01])
def test_a_share_outside_its_range_is_refused(fraction):
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        draw(fraction=fraction)


FRAME = {f"q{t}": [f"d{t}.{p}" for p in range(size)] for t, size in enumerate([0, 1, 2, 3, 10, 100])}
frames = st.dictionaries(st.text(min_size=1, max_size=3), st.sets(st.text(min_size=1, max_size=3)), max_size=6)
seeds = st.integers(0, 2**40)


def test_a_share_is_reached_in_each_topic_by_two_pairs_or_more_or_all():
    assert list(drawing.sizes_by_share(FRAME, 0.2).values()) == [0, 1, 2, 2, 2, 20]


def test_a_decimal_share_is_what_a_person_means():
    assert drawing.sizes_by_share({"q": range(100)}, 0.07) == {"q": 7}


def test_a_number_is_taken_of_each_topic_or_all():
    assert list(drawing.sizes_by_number(FRAME, 3).values()) == [0, 1, 2, 3, 3, 3]


@pytest.mark.parametrize("share", [0, -0.1, 1.01, float("nan")])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        drawing.sizes_by_share(FRAME, share)


def test_one_pair_of_a_topic_is_refused():
    with pytest.raises(ValueError, match="2 pairs or more"):
        drawing.sizes_by_number(FRAME, 1)


@given(frames, st.floats(0.01, 1), seeds)
def test_a_sample_is_of_its_size_and_of_its_frame_each_pair_once(frame, share, seed):
    sizes = drawing.sizes_by_share(frame, share)
    drawn = drawing.sample_within_topics(frame, sizes, seed)
    for topic, names in drawn.items():
        assert len(names) == len(set(names)) == sizes[topic]
        assert set(names) <= set(frame[topic])


@given(frames, seeds)
def test_the_order_of_the_frame_changes_nothing(frame, seed):
    turned = {topic: sorted(names, reverse=True) for topic, names in reversed(frame.items())}
    sizes = drawing.sizes_by_number(frame, 2)
    assert drawing.sample_within_topics(turned, sizes, seed) == drawing.sample_within_topics(frame, sizes, seed)


def test_a_larger_sample_holds_the_smaller_one_and_another_topic_changes_nothing():
    small = drawing.sample_within_topics(FRAME, drawing.sizes_by_number(FRAME, 5), 1)
    large = drawing.sample_within_topics(FRAME, drawing.sizes_by_number(FRAME, 9), 1)
    assert all(large[topic][: len(names)] == names for topic, names in small.items())
    alone = {"q5": FRAME["q5"]}
    assert drawing.sample_within_topics(alone, {"q5": 5}, 1)["q5"] == small["q5"]


def test_over_seeds_each_pair_of_a_topic_is_drawn_equally_often():
    """4 of 10 in 4,000 draws: 1,600 expected, standard deviation 31 by the binomial."""
    frame = {"q": [f"d{n}" for n in range(10)]}
    counts = Counter(name for seed in range(4000) for name in drawing.sample_within_topics(frame, {"q": 4}, seed)["q"])
    assert len(counts) == 10
    assert all(abs(count - 1600) < 4.5 * 31 for count in counts.values())


def test_over_seeds_each_couple_of_pairs_is_drawn_equally_often():
    """2 of 5 are one of 10 couples: 400 expected in 4,000 draws, standard deviation 19."""
    frame = {"q": list("abcde")}
    counts = Counter(frozenset(drawing.sample_within_topics(frame, {"q": 2}, seed)["q"]) for seed in range(4000))
    assert len(counts) == 10
    assert all(abs(count - 400) < 4.5 * 19 for count in counts.values())


def test_whole_topics_are_drawn_each_equally_often():
    counts = Counter(topic for seed in range(3000) for topic in drawing.sample_topics(list("abcdef"), 2, seed))
    assert all(abs(count - 1000) < 4.5 * 26 for count in counts.values())


@pytest.mark.parametrize("number", [0, 1, 7])
def test_fewer_than_two_topics_or_more_than_there_are_is_refused(number):
    with pytest.raises(ValueError, match="between 2 and all 6 topics"):
        drawing.sample_topics("abcdef", number, 1)


def test_judging_goes_in_rounds_one_pair_of_every_topic_at_a_time():
    sample = {"q1": ("a", "b", "c"), "q2": ("d", "e"), "q3": ("f",)}
    order = drawing.order_in_rounds(sample, 1)
    assert [{topic for topic, _ in part} for part in (order[:3], order[3:5], order[5:])] == [
        {"q1", "q2", "q3"},
        {"q1", "q2"},
        {"q1"},
    ]
    assert [name for topic, name in order if topic == "q1"] == ["a", "b", "c"]


def test_the_topics_of_a_round_come_in_another_order_in_each():
    sample = {f"q{t}": [f"d{p}" for p in range(2)] for t in range(20)}
    order = [topic for topic, _ in drawing.order_in_rounds(sample, 1)]
    assert order[:20] != order[20:]


def test_pairs_of_each_grade_are_drawn_or_all_there_are():
    grades = {("q", f"d{n}"): n % 3 for n in range(9)} | {("q", "rare"): 7}
    drawn = drawing.sample_each_grade(grades, 2, seed=1)
    assert {grade: len(pairs) for grade, pairs in drawn.items()} == {0: 2, 1: 2, 2: 2, 7: 1}
    assert all(grades[pair] == grade for grade, pairs in drawn.items() for pair in pairs)
    assert drawing.sample_each_grade(dict(reversed(grades.items())), 2, seed=1) == drawn
    assert drawing.sample_each_grade(grades, 2, seed=2) != drawn

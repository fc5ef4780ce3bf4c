import numpy as np
import pytest

from annotate.formats.records import GradeScale
from evaluation.agreement import alpha, groups, kappa, pairing
from evaluation.engine import rater_agreement

SCALE = range(4)


def graded(*grades, topic="q"):
    return {(topic, f"d{place}"): grade for place, grade in enumerate(grades)}


def by_topic(grades):
    return {pair: pair[0] for pair in grades}


def test_each_topic_has_the_figures_of_its_pairs_alone():
    random = np.random.default_rng(5)
    first = {(f"q{place % 4}", f"d{place}"): int(random.integers(0, 4)) for place in range(120)}
    second = {pair: int(random.integers(0, 4)) for pair in first}
    found = groups.compare_groups(first, second, by_topic(first), SCALE, 2).by_key
    assert list(found) == ["q0", "q1", "q2", "q3"]
    for topic, group in found.items():
        nested = [
            {topic: {pid: grades[topic, pid] for query, pid in grades if query == topic}} for grades in (first, second)
        ]
        alone = rater_agreement.compare(*nested, GradeScale(0, 3))
        assert group.n == alone.n == 30
        assert (group.confusion == alone.confusion).all()
        for name in ("kappa", "alpha"):
            assert {key: each.number for key, each in getattr(group, name).items()} == pytest.approx(
                {key: each.number for key, each in getattr(alone, name).items()}
            )
        assert (group.ac1, group.share_equal, group.mean_difference) == (
            alone.ac1,
            alone.share_equal,
            alone.mean_difference,
        )


def test_pairs_without_a_key_are_counted_and_those_of_one_rater_alone_are_not():
    first, second = graded(0, 1, 2), graded(0, 1, 2, 3)
    found = groups.compare_groups(first, second, {("q", "d0"): "long", ("q", "d3"): "long"}, SCALE, 2)
    assert found.by_key["long"].n == 1
    assert found.without_key == 2


def test_a_group_with_one_grade_only_says_so_and_keeps_its_share_of_equal_grades():
    found = groups.compare_groups(graded(2, 2), graded(2, 2), dict.fromkeys(graded(2, 2), "all"), SCALE, 2).by_key[
        "all"
    ]
    assert found.share_equal.value == 1.0
    assert {each.reason for each in found.kappa.values()} == {kappa.ONE_GRADE_KAPPA}
    assert {each.reason for each in found.alpha.values()} == {alpha.ONE_GRADE}
    assert found.ac1.reason == kappa.ONE_GRADE_AC1


def test_by_the_first_raters_grade_the_mean_difference_tells_where_the_second_is_generous():
    first, second = graded(0, 0, 3, 3), graded(1, 2, 3, 2)
    found = groups.compare_groups(first, second, first, SCALE, 2).by_key
    assert {grade: group.mean_difference.value for grade, group in found.items()} == {0: 1.5, 3: -0.5}


def test_bins_of_passage_lengths_are_keys_in_rising_order():
    first, second = graded(0, 1, 2, 3), graded(0, 1, 3, 3)
    lengths = {pair: 100.0 - 10 * place for place, pair in enumerate(first)}
    found = groups.compare_groups(first, second, groups.bin_by_quantiles(lengths, 2), SCALE, 2).by_key
    assert {str(key): group.share_equal.value for key, group in found.items()} == {"70 to 80": 0.5, "90 to 100": 1.0}


def test_without_a_common_pair_there_is_no_group():
    found = groups.compare_groups(graded(1), graded(1, topic="r"), by_topic(graded(1)), SCALE, 2)
    assert (dict(found.by_key), found.without_key) == ({}, 0)


def test_a_grade_off_the_scale_is_refused():
    with pytest.raises(ValueError, match="not on the scale 0-3"):
        groups.compare_groups(graded(4), graded(1), by_topic(graded(4)), SCALE, 2)


def test_two_raters_among_themselves_have_the_figures_of_a_comparison_but_for_the_sign():
    first, second = graded(0, 1, 2, 3, 3), graded(0, 1, 3, 3, 1)
    two = groups.compare_groups(first, second, by_topic(first), SCALE, 2).by_key["q"]
    among = groups.compare_groups_among_people(pairing.list_couples([first, second]), by_topic(first), SCALE, 2).by_key[
        "q"
    ]
    assert (among.n, among.kappa, among.ac1, among.share_equal) == (two.n, two.kappa, two.ac1, two.share_equal)
    assert among.alpha["ordinal"].number == pytest.approx(two.alpha["ordinal"].number)
    assert among.mean_difference.reason == groups.NO_ORDER


def test_several_raters_among_themselves_have_krippendorffs_alpha_by_group():
    random = np.random.default_rng(3)
    raters = [
        {(f"q{place % 2}", f"d{place}"): int(random.integers(0, 4)) for place in range(60) if random.random() < 0.7}
        for _ in range(4)
    ]
    keys = {pair: pair[0] for rater in raters for pair in rater}
    for topic, group in groups.compare_groups_among_people(pairing.list_couples(raters), keys, SCALE, 2).by_key.items():
        alone = [{pair: grade for pair, grade in rater.items() if pair[0] == topic} for rater in raters]
        whole = rater_agreement.among(alone, GradeScale(0, 3))
        assert (group.n, group.kappa["linear"].number) == (whole.n, pytest.approx(whole.kappa["linear"].number))
        for level in alpha.LEVELS:
            assert group.alpha[level].number == pytest.approx(whole.alpha[level].number)


def test_a_group_without_a_pair_of_two_raters_is_not_among_them():
    found = groups.compare_groups_among_people(
        pairing.list_couples([graded(0, 1), graded(0)]), {("q", "d1"): "long"}, SCALE, 2
    )
    assert (dict(found.by_key), found.without_key) == ({}, 1)

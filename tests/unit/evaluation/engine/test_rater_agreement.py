import pytest

from annotate.formats.records import GradeScale
from evaluation.engine import rater_agreement

SCALE = GradeScale(0, 3)


def grades(*values):
    return {"q": {f"d{place}": grade for place, grade in enumerate(values) if grade is not None}}


def test_equal_raters_agree_by_1_in_everything():
    found = rater_agreement.compare(grades(0, 1, 2, 3), grades(0, 1, 2, 3), SCALE)
    values = [*found.kappa.values(), *found.alpha.values(), found.tau_b, found.gamma, found.share_equal]
    assert [value.value for value in values] == pytest.approx([1.0] * 10)
    assert found.n == 4


def test_what_only_one_rater_graded_is_left_out_and_counted():
    found = rater_agreement.compare(grades(0, 1, None, 3, -1), grades(0, None, 2, 2, 3), SCALE)
    assert (found.n, found.only_first, found.only_second) == (2, 1, 2)


def test_without_a_common_pair_everything_is_undefined():
    found = rater_agreement.compare(grades(1, None), grades(None, 1), SCALE)
    values = [*found.kappa.values(), *found.alpha.values(), found.tau_b, found.gamma, found.share_equal]
    assert not any(value.is_defined for value in values)
    assert found.gamma_recipe.reason == "fewer than two to compare"
    assert found.confusion.tolist() == [[0] * 4] * 4


def test_all_zeros_by_both_is_full_agreement_with_undefined_coefficients():
    found = rater_agreement.compare(grades(0, 0, 0), grades(0, 0, 0), SCALE)
    assert found.share_equal.value == 1.0
    assert not any(value.is_defined for value in (*found.kappa.values(), *found.alpha.values()))
    assert found.gamma_recipe.value == 0.0


def test_binary_kappa_splits_the_scale_where_it_is_told():
    first, second = grades(0, 1, 2, 3), grades(1, 0, 3, 2)
    assert rater_agreement.compare(first, second, SCALE).kappa["binary"].value == 1.0
    assert rater_agreement.compare(first, second, SCALE, threshold=1).kappa["binary"].value == pytest.approx(-1 / 3)


@pytest.mark.parametrize("threshold", [0, 4])
def test_a_threshold_that_does_not_split_the_scale_is_refused(threshold):
    with pytest.raises(ValueError, match="does not split the scale 0-3"):
        rater_agreement.compare(grades(0), grades(1), SCALE, threshold=threshold)


def test_another_scale_has_another_table():
    found = rater_agreement.compare(grades(0, 2), grades(2, 2), GradeScale(0, 2))
    assert found.confusion.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 1]]


def test_kappa_is_there_for_every_split_of_the_scale_and_the_binary_one_is_among_them():
    found = rater_agreement.compare(grades(0, 1, 2, 3), grades(1, 0, 3, 2), SCALE)
    assert {grade: kappa.value for grade, kappa in found.kappa_from.items()} == pytest.approx(
        {1: -1 / 3, 2: 1, 3: -1 / 3}
    )
    assert found.kappa["binary"] == found.kappa_from[2]


def test_ac1_stands_beside_kappa_and_is_undefined_with_a_reason_too():
    assert rater_agreement.compare(grades(0, 0, 0, 1), grades(0, 0, 0, 1), SCALE).ac1.value == 1.0
    assert "all grades are equal" in rater_agreement.compare(grades(0, 0), grades(0, 0), SCALE).ac1.reason


def flat(*values):
    return {("q", passage_id): grade for passage_id, grade in grades(*values)["q"].items()}


def test_several_raters_among_themselves_count_pairs_once_and_couples_in_the_table():
    found = rater_agreement.among([flat(0, 1, 2), flat(0, 1, None, 3), flat(0, 2)], SCALE)
    assert (found.n, found.only_first, int(found.confusion.sum())) == (2, 2, 6)
    assert found.share_equal.value == pytest.approx(4 / 6)
    assert found.mean_difference.reason


def test_among_nobody_everything_is_undefined():
    found = rater_agreement.among([], SCALE)
    assert found.n == 0
    assert not any(value.is_defined for value in (*found.kappa.values(), *found.alpha.values(), found.spearman))


def test_tau_a_and_spearman_of_the_grades_have_known_answers():
    found = rater_agreement.compare(grades(0, 1, 2, 3), grades(0, 2, 1, 3), SCALE)
    assert (found.tau_a.value, found.spearman.value) == (pytest.approx(4 / 6), pytest.approx(0.8))

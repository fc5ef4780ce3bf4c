import pytest

from annotate.rules import drawing

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

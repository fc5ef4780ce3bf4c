import types

from evaluation.engine.ranking_shift import SystemShift
from evaluation.pages.leaderboard import figures


def draw(*systems):
    return figures.draw_bump_chart(types.SimpleNamespace(shift=types.SimpleNamespace(systems=systems)))


def shift(tag, reference, other):
    return SystemShift(tag, 0.5, 0.5, reference, other)


def test_lines_go_from_the_place_on_the_left_to_that_on_the_right():
    chart = draw(shift("falls", 1, 2), shift("stays", 3, 3), shift("rises", 2, 1))
    assert [(line.tag, line.direction) for line in chart.lines] == [
        ("falls", "down"),
        ("rises", "up"),
        ("stays", "same"),
    ]
    heights = [line.left for line in chart.lines]
    assert [line.right for line in chart.lines] == [heights[1], heights[0], heights[2]]
    assert chart.height > heights[-1]
    assert chart.lines[0].path == f"M270 {heights[0]}C380 {heights[0]} 380 {heights[1]} 490 {heights[1]}"


def test_tied_systems_stand_one_below_the_other_by_their_tags():
    chart = draw(shift("b", 1, 1), shift("a", 1, 1))
    assert [line.tag for line in chart.lines] == ["a", "b"]
    assert chart.lines[0].left < chart.lines[1].left
    assert chart.lines[0].right < chart.lines[1].right


def test_a_long_tag_is_cut_in_the_drawing():
    line = draw(shift("x" * 200, 1, 1)).lines[0]
    assert line.tag == "x" * 25 + "…"
    assert line.system.run_tag == "x" * 200

"""Drawings of every chart, and the process in which they are drawn."""

import re

import pytest

from evaluation.plots import rendering
from evaluation.plots.figure import Figure
from tests import renderer

BUMP = [
    {"system": tag, "side": side, "row": row, "text": f"{tag} {row}", "moved": moved}
    for tag, left, right, moved in [("a<b>", 1, 2, "falling"), ("b", 2, 1, "rising")]
    for side, row in (("left", left), ("right", right))
]
CURVE = [
    {"line": line, "x": x, "y": y, "low": y, "high": y and y + 0.1, "is_beside": line == "none"}
    for line, x, y in [("none", 0.1, 0.9), ("none", 0.5, 0.5), ("gpt", 0.1, 0.9), ("gpt", 0.5, None)]
]
RELIABILITY = [
    {"part": part, "predicted": at, "happened": 0.9 * at, "n": 7} for part in ("every", "top") for at in (0.1, 0.5)
]
SLOPES = [
    {"system": tag, "side": side, "value": value, "moved": "same"}
    for side in ("people", "model")
    for tag, value in (("a", 0.5), ("b", 0.5), ("c", 0.1))
]
FIGURES = [
    Figure("bump", "Places", "left and right", BUMP, {"left": "reference", "right": "gpt & co"}),
    Figure("means", "Means", "points", [{"system": "a", "mean": 0.5, "low": None, "high": None}], {"x": "nDCG@10"}),
    Figure(
        "heat", "Grades", "cells", [{"row": "0", "column": "1", "heat": None, "text": "·"}], {"rows": "", "columns": ""}
    ),
    Figure("reliability", "Reliability", "points", RELIABILITY, {"x": "predicted", "y": "relevant", "subtitle": "2+"}),
    Figure("trend", "Trend", "points", [{"period": "2026-03-01", "value": None, "n": 3}], {"y": "alpha"}),
    Figure("slopes", "Slopes", "three lines", SLOPES, {"y": "nDCG@10"}),
    Figure("curves", "Curves", "two lines", CURVE, {"x": "share", "y": "tau-b", "subtitle": "n = 2"}),
]


@pytest.fixture
def own_process(monkeypatch):
    """Rendering as it is outside the tests."""
    monkeypatch.setattr(rendering, "render_all", renderer.in_a_process_of_its_own)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.chart)
def test_each_chart_is_drawn_with_its_text_alternative_and_nothing_from_outside(figure):
    svg = renderer.draw(figure, "svg").decode()
    assert svg.startswith("<svg ")
    assert f"<title>{figure.title}</title><desc>{figure.description}</desc>" in svg
    assert not re.search(r"<script|href=\"http|url\(http|@import", svg)


def test_names_of_systems_are_text_in_the_drawing_and_no_markup():
    svg = renderer.draw(FIGURES[0], "svg").decode()
    assert "a&lt;b&gt;" in svg
    assert "<b>" not in svg


def test_a_png_is_three_times_as_wide_as_its_drawing(own_process):
    png, svg = renderer.draw(FIGURES[1], "png"), renderer.draw(FIGURES[1], "svg").decode()
    assert png.startswith(b"\x89PNG")
    assert b"tEXtTitle\0Means" in png and b"tEXtDescription\0points" in png
    assert int.from_bytes(png[16:20], "big") == pytest.approx(3 * float(re.search(r'width="(\d+)"', svg)[1]), abs=3)


def test_a_chart_that_fails_says_why(own_process):
    with pytest.raises(rendering.NotDrawn, match="KeyError: 'nothing'|'nothing'"):
        renderer.draw(Figure("nothing", "", "", []), "svg")


def test_the_digest_is_of_all_that_is_drawn():
    assert (
        FIGURES[0].digest
        != Figure("bump", "Places", "left and right", BUMP, {"left": "reference", "right": "x"}).digest
    )
    assert FIGURES[0].digest == Figure(*FIGURES[0].__dict__.values()).digest


def test_drawings_of_one_process_are_those_that_are_drawn_alone(own_process):
    together = rendering.render_all([(figure, "svg") for figure in FIGURES[:2]] + [(FIGURES[0], "svg")])
    assert together == [renderer.draw(figure, "svg") for figure in (*FIGURES[:2], FIGURES[0])]
    assert rendering.render_all([]) == []


def test_each_line_of_a_slope_chart_is_named_on_both_sides():
    [slopes] = [figure for figure in FIGURES if figure.chart == "slopes"]
    svg = renderer.draw(slopes, "svg").decode()
    assert [svg.count(f">{name}</text>") for name in ("a 0.500", "b 0.500", "c 0.100")] == [2, 2, 2]


@pytest.mark.parametrize("value, ends", [(1.0, ("0.0", "1.0")), (0.0, ("-1.0", "1.0"))])
def test_an_axis_of_points_that_are_all_alike_has_more_than_one_tick(value, ends):
    rows = [{"system": name, "mean": value, "low": None, "high": None} for name in "ab"]
    svg = renderer.draw(Figure("means", "Means", "points", rows, {"x": "tau-b"}), "svg").decode()
    assert all(f">{end.replace('-', chr(0x2212))}</text>" in svg for end in ends)

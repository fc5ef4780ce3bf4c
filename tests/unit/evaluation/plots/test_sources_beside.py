import pytest

from evaluation.plots.figure import Figure
from tests import renderer

WORDS = {"x": "DCG@10", "subtitle": "seed 1", "mixed": "both", "people": "people alone", "model": "model alone"}


def figure(systems):
    rows = [
        {"system": f"system {number:02}", "source": source, "mean": mean, "low": low, "high": high}
        for number in range(systems)
        for source, mean, low, high in (("mixed", 0.5, 0.4, 0.6), ("people", 0.5, 0.3, 0.7), ("model", 0.8, None, None))
    ]
    return Figure("sources_beside", "Systems beside", "What it shows", rows, WORDS)


def test_each_source_is_named_at_its_mark_and_no_legend_is_needed():
    drawn = renderer.draw(figure(3), "svg").decode()
    for word in ("both", "people alone", "model alone"):
        assert drawn.count(f">{word}<") == 1
    assert "role-legend" not in drawn
    assert "seed 1" in drawn and "<desc>What it shows</desc>" in drawn
    assert renderer.draw(figure(3), "svg").decode() == drawn


@pytest.mark.parametrize("systems, row", [(3, 38), (20, 27)])
def test_few_systems_have_room_and_many_a_page(systems, row):
    drawn = renderer.draw(figure(systems), "svg").decode()
    height = float(drawn.split('height="')[1].split('"')[0])
    assert systems * row <= height <= systems * row + 150

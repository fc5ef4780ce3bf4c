"""Bars of shares that add up to a whole, one bar a row, each piece with its name in it."""

import altair as alt

from evaluation.plots import style
from evaluation.plots.figure import Figure

# Below this share of a bar a text would run over its piece.
_ROOM = 0.07


def draw(figure: Figure) -> alt.LayerChart:
    """Rows have `row`, `part`, `share` (0 to 1), `start` (the shares before it) and `text`; at most six parts."""
    rows = list(dict.fromkeys(row["row"] for row in figure.rows))
    parts = list(dict.fromkeys(row["part"] for row in figure.rows))
    values = [
        {**row, "end": _number(row["start"]) + _number(row["share"]), "middle": _middle(row)} for row in figure.rows
    ]
    base = alt.Chart(alt.Data(values=values)).encode(y=alt.Y("row:N", sort=rows, title=None))
    colours = alt.Scale(domain=parts, range=style.SERIES[: len(parts)])
    bars = base.mark_bar(stroke="white", strokeWidth=1, height={"band": 0.85}).encode(
        x=alt.X("start:Q", title=figure.words["x"], axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
        x2="end:Q",
        color=alt.Color("part:N", scale=colours, legend=None),
    )
    inks = alt.Scale(domain=parts, range=style.ON_SERIES[: len(parts)])
    texts = (
        base.mark_text(fontSize=10)
        .encode(x="middle:Q", text="text:N", color=alt.Color("part:N", scale=inks, legend=None))
        .transform_filter(f"datum.share >= {_ROOM}")
    )
    return (
        alt.layer(bars, texts)
        .resolve_scale(color="independent")
        .properties(width=560, height=alt.Step(24), title=style.title(figure))
    )


def _middle(row: dict[str, object]) -> float:
    return _number(row["start"]) + _number(row["share"]) / 2


def _number(value: object) -> float:
    return float(str(value))

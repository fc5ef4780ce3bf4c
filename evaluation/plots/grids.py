"""Heat maps, and bars of shares."""

import altair as alt

from evaluation.plots import style
from evaluation.plots.figure import Figure


def draw_heat(figure: Figure) -> style.Chart:
    """A heat map of numbers: the confusion of two raters, or all raters against one another.

    Rows have `row`, `column`, `heat` (0 to 1, None for an empty cell) and `text`.
    """
    rows = figure.values("row")
    columns = figure.values("column")
    base = style.chart(figure.rows).encode(
        x=alt.X("column:N", sort=columns, title=figure.words["columns"], axis=alt.Axis(orient="top", labelAngle=0)),
        y=alt.Y("row:N", sort=rows, title=figure.words["rows"]),
    )
    cells = base.mark_rect(stroke="white", strokeWidth=2).encode(
        color=alt.Color("heat:Q", scale=alt.Scale(domain=[0, 1], range=style.HEAT, clamp=True), legend=None)
    )
    ink = alt.condition("datum.heat > 0.55", alt.value("white"), alt.value(style.INK))
    texts = base.mark_text(lineBreak="\n", dy=-4, fontSize=11, lineHeight=13).encode(text="text:N", color=ink)
    return alt.layer(cells, texts).properties(width=alt.Step(84), height=alt.Step(40), title=figure.title)


def draw_grid(figure: Figure) -> style.Chart:
    """A heat map with many columns and short texts: systems by profiles, or profiles by profiles.

    Rows have `row`, `column`, `heat` (0 to 1, None for an empty cell) and `text`, in the order of their axes.
    """
    rows = figure.values("row")
    columns = figure.values("column")
    base = style.chart(figure.rows).encode(
        x=alt.X(
            "column:N",
            sort=columns,
            title=figure.words["columns"],
            axis=alt.Axis(orient="top", labelAngle=-50, grid=False),
        ),
        y=alt.Y("row:N", sort=rows, title=figure.words["rows"], axis=alt.Axis(grid=False)),
    )
    cells = base.mark_rect(stroke="white", strokeWidth=1).encode(
        color=alt.Color("heat:Q", scale=alt.Scale(domain=[0, 1], range=style.HEAT, clamp=True), legend=None)
    )
    ink = alt.condition("datum.heat > 0.55", alt.value("white"), alt.value(style.INK))
    texts = base.mark_text(fontSize=10).encode(text="text:N", color=ink)
    return alt.layer(cells, texts).properties(width=alt.Step(34), height=alt.Step(21), title=style.title(figure))


# Below this share of a bar a text would run over its piece.
_ROOM = 0.07


def draw_shares(figure: Figure) -> style.Chart:
    """Bars of shares that add up to a whole, one bar a row, each piece with its name in it.

    Rows have `row`, `part`, `share` (0 to 1), `start` (the shares before it) and `text`; at most six parts.
    """
    rows = figure.values("row")
    parts = figure.values("part")
    values = [
        {**row, "end": _number(row["start"]) + _number(row["share"]), "middle": _middle(row)} for row in figure.rows
    ]
    base = style.chart(values).encode(y=alt.Y("row:N", sort=rows, title=None))
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
    layered: style.Chart = alt.layer(bars, texts).resolve_scale(color="independent")
    return layered.properties(width=560, height=alt.Step(24), title=style.title(figure))


def _middle(row: dict[str, object]) -> float:
    return _number(row["start"]) + _number(row["share"]) / 2


def _number(value: object) -> float:
    return float(str(value))

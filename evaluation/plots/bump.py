"""The bump chart: a line for each system from its place under one rule to its place under another."""

import altair as alt

from evaluation.plots import style
from evaluation.plots.figure import Figure

ROW = 17
WIDTH = 230
COLOURS = {"rising": style.RISING, "falling": style.FALLING, "same": style.SAME}


def draw(figure: Figure) -> alt.LayerChart:
    """Rows have `system`, `side` (left or right), `row` (from 1, tied systems one below the other), `text`, `moved`."""
    data = alt.Data(values=figure.rows)
    rows = max((int(str(row["row"])) for row in figure.rows), default=1)
    base = alt.Chart(data).encode(
        x=alt.X("side:N", axis=None, sort=["left", "right"], scale=alt.Scale(padding=0.5)),
        y=alt.Y("row:Q", axis=None, scale=alt.Scale(domain=[rows + 0.5, 0.5], nice=False)),
    )
    colour = alt.Color(
        "moved:N",
        scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())),
        legend=alt.Legend(title=None, orient="bottom"),
    )
    dash = alt.StrokeDash("moved:N", scale=alt.Scale(domain=list(COLOURS), range=[[1, 0], [5, 3], [1, 0]]), legend=None)
    lines = base.mark_line(strokeWidth=1.6).encode(detail="system:N", color=colour, strokeDash=dash)
    points = base.mark_circle(size=36, opacity=1).encode(color=colour)
    left = (
        base.mark_text(align="right", dx=-8, fontSize=10).encode(text="text:N").transform_filter("datum.side == 'left'")
    )
    right = (
        base.mark_text(align="left", dx=8, fontSize=10).encode(text="text:N").transform_filter("datum.side == 'right'")
    )
    heads = f"{figure.words['left']}  →  {figure.words['right']}"
    return alt.layer(lines, points, left, right).properties(
        width=WIDTH * 2, height=ROW * max(rows, 4), title=alt.Title(figure.title, subtitle=heads)
    )

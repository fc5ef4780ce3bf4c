"""A heat map of numbers: the confusion of two raters, or all raters against one another."""

import altair as alt

from evaluation.plots import style
from evaluation.plots.figure import Figure


def draw(figure: Figure) -> alt.LayerChart:
    """Rows have `row`, `column`, `heat` (0 to 1, None for an empty cell) and `text`."""
    rows = list(dict.fromkeys(row["row"] for row in figure.rows))
    columns = list(dict.fromkeys(row["column"] for row in figure.rows))
    base = alt.Chart(alt.Data(values=figure.rows)).encode(
        x=alt.X("column:N", sort=columns, title=figure.words["columns"], axis=alt.Axis(orient="top", labelAngle=0)),
        y=alt.Y("row:N", sort=rows, title=figure.words["rows"]),
    )
    cells = base.mark_rect(stroke="white", strokeWidth=2).encode(
        color=alt.Color("heat:Q", scale=alt.Scale(domain=[0, 1], range=style.HEAT, clamp=True), legend=None)
    )
    ink = alt.condition("datum.heat > 0.55", alt.value("white"), alt.value(style.INK))
    texts = base.mark_text(lineBreak="\n", dy=-4, fontSize=11, lineHeight=13).encode(text="text:N", color=ink)
    return alt.layer(cells, texts).properties(width=alt.Step(84), height=alt.Step(40), title=figure.title)

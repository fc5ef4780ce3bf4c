"""A heat map with many columns and short texts: systems by profiles, or profiles by profiles."""

import altair as alt

from evaluation.plots import style
from evaluation.plots.figure import Figure


def draw(figure: Figure) -> alt.LayerChart:
    """Rows have `row`, `column`, `heat` (0 to 1, None for an empty cell) and `text`, in the order of their axes."""
    rows = list(dict.fromkeys(row["row"] for row in figure.rows))
    columns = list(dict.fromkeys(row["column"] for row in figure.rows))
    base = alt.Chart(alt.Data(values=figure.rows)).encode(
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

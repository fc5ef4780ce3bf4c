"""Two values of each row and the way between them: an open point before, a filled one after."""

import altair as alt

from evaluation.plots import style
from evaluation.plots.figure import Figure


def draw(figure: Figure) -> alt.LayerChart:
    """Rows have `row`, `before` and `after`, in their order; `words` name both, and the axis `x`."""
    rows = [row["row"] for row in figure.rows]
    base = alt.Chart(alt.Data(values=figure.rows)).encode(y=alt.Y("row:N", sort=rows, title=None))
    heads = f"{figure.words['x']} (open: {figure.words['before']}; filled: {figure.words['after']})"
    along = alt.Scale(zero=True, nice=True)
    ways = base.mark_rule(color=style.SAME, strokeWidth=2).encode(
        x=alt.X("before:Q", scale=along, title=heads, axis=alt.Axis(format="%")), x2="after:Q"
    )
    open_points = base.mark_point(size=50, color=style.FALLING, fill="white", opacity=1).encode(
        x=alt.X("before:Q", scale=along)
    )
    filled = base.mark_circle(size=50, color=style.RISING, opacity=1).encode(x=alt.X("after:Q", scale=along))
    return alt.layer(ways, open_points, filled).properties(width=420, height=alt.Step(17), title=style.title(figure))

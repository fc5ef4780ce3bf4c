"""Agreement over time: one point a period, as large as its number of pairs."""

import altair as alt

from evaluation.plots import style
from evaluation.plots.figure import Figure


def draw(figure: Figure) -> alt.LayerChart:
    """Rows have `period`, `value` (None where undefined) and `n`, in the order of time."""
    order = [row["period"] for row in figure.rows]
    base = alt.Chart(alt.Data(values=figure.rows)).encode(
        x=alt.X("period:N", sort=order, title=None, axis=alt.Axis(labelAngle=0 if len(order) < 9 else -45)),
        y=alt.Y("value:Q", title=figure.words["y"], scale=alt.Scale(domainMax=1, zero=True)),
    )
    line = base.mark_line(color=style.SAME)
    points = base.mark_circle(color=style.RISING, opacity=1).encode(
        size=alt.Size("n:Q", title="pairs", scale=alt.Scale(range=[30, 300], zero=True))
    )
    return alt.layer(line, points).properties(width=420, height=220, title=figure.title)

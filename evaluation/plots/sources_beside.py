"""The value of each system by several sources, one below the other, with intervals where there are some."""

import altair as alt

from evaluation.plots import style
from evaluation.plots.figure import Figure

SOURCES = ["mixed", "people", "model"]
COLOURS = [style.RISING, style.FALLING, style.MUTED]
SHAPES = ["circle", "square", "triangle-up"]
ROW, WIDE_ROW, MANY = 27, 38, 12


def draw(figure: Figure) -> alt.LayerChart:
    """Rows have `system`, `source` (mixed, people or model), `mean`, `low` and `high` (None without an interval), the
    best system first; `words` name the sources, which stand beside the marks of the first system."""
    order = list(dict.fromkeys(row["system"] for row in figure.rows))
    rows = [{**row, "end": row["mean"] if row["high"] is None else row["high"]} for row in figure.rows]
    labels = [{**row, "text": figure.words[str(row["source"])]} for row in rows if row["system"] == order[0]]
    base = _placed(alt.Chart(alt.Data(values=rows)), order)
    along = alt.Scale(zero=False, nice=True)
    colour = alt.Color("source:N", scale=alt.Scale(domain=SOURCES, range=COLOURS), legend=None)
    shape = alt.Shape("source:N", scale=alt.Scale(domain=SOURCES, range=SHAPES), legend=None)
    intervals = base.mark_rule(strokeWidth=1.8).encode(
        x=alt.X("low:Q", scale=along, title=figure.words["x"]), x2="high:Q", color=colour
    )
    points = base.mark_point(filled=True, size=30, opacity=1).encode(
        x=alt.X("mean:Q", scale=along), color=colour, shape=shape
    )
    names = _placed(alt.Chart(alt.Data(values=labels)), order).mark_text(align="left", dx=8, fontSize=9)
    texts = names.encode(x=alt.X("end:Q", scale=along), text="text:N", color=colour)
    return alt.layer(intervals, points, texts).properties(
        width=460,
        height=alt.Step(WIDE_ROW if len(order) <= MANY else ROW, **{"for": "position"}),
        title=style.title(figure),
    )


def _placed(chart: alt.Chart, order: list[object]) -> alt.Chart:
    placed: alt.Chart = chart.encode(
        y=alt.Y("system:N", sort=order, title=None, scale=alt.Scale(paddingInner=0.2)),
        yOffset=alt.YOffset("source:N", sort=SOURCES, scale=alt.Scale(domain=SOURCES)),
    )
    return placed

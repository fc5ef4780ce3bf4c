"""A line for each system from its value under one set of labels to those under the next."""

import altair as alt

from evaluation.plots import style
from evaluation.plots.figure import Figure

COLOURS = {"rising": style.RISING, "falling": style.FALLING, "same": style.SAME}
WIDTH_A_STEP = 170


def draw(figure: Figure) -> alt.LayerChart:
    """Rows have `system`, `side` (a set of labels, in their order), `value`, `moved` (rising, falling or same), and
    `left` and `right`: the texts beside the first and the last point, empty where they would cover one another."""
    sides = list(dict.fromkeys(row["side"] for row in figure.rows))
    base = alt.Chart(alt.Data(values=figure.rows)).encode(
        x=alt.X(
            "side:N", sort=sides, title=None, axis=alt.Axis(labelAngle=0, orient="top"), scale=alt.Scale(padding=1)
        ),
        y=alt.Y("value:Q", title=figure.words["y"], scale=alt.Scale(zero=False, nice=True)),
        color=alt.Color("moved:N", scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())), legend=None),
    )
    dash = alt.StrokeDash("moved:N", scale=alt.Scale(domain=list(COLOURS), range=[[1, 0], [5, 3], [1, 0]]), legend=None)
    lines = base.mark_line(strokeWidth=1.4).encode(detail="system:N", strokeDash=dash)
    points = base.mark_circle(size=26, opacity=1)
    ends = [
        base.mark_text(align=align, dx=dx, fontSize=10).encode(text=f"{name}:N").transform_filter(f"datum.{name} != ''")
        for name, align, dx in (("left", "right", -8), ("right", "left", 8))
    ]
    return alt.layer(lines, points, *ends).properties(
        width=WIDTH_A_STEP * (len(sides) + 1), height=420, title=style.title(figure)
    )

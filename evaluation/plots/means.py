"""The mean of each system with its interval, the best on top."""

from collections.abc import Sequence

import altair as alt

from evaluation.plots import style
from evaluation.plots.figure import Figure


def draw(figure: Figure) -> alt.LayerChart:
    """Rows have `system`, `mean`, `low` and `high` (None where there is no interval), in their order."""
    order = [row["system"] for row in figure.rows]
    base = alt.Chart(alt.Data(values=figure.rows)).encode(y=alt.Y("system:N", sort=order, title=None))
    along = _along([row[name] for row in figure.rows for name in ("mean", "low", "high")])
    intervals = base.mark_rule(color=style.SAME, strokeWidth=2).encode(
        x=alt.X("low:Q", scale=along, title=figure.words["x"]), x2="high:Q"
    )
    points = base.mark_circle(size=44, color=style.RISING, opacity=1).encode(x=alt.X("mean:Q", scale=along))
    return alt.layer(intervals, points).properties(width=420, height=alt.Step(15), title=style.title(figure))


def _along(told: Sequence[object]) -> alt.Scale:
    """Around the numbers; from 0 where there is but one, so that its axis has more than one tick."""
    numbers = {float(str(number)) for number in told if number is not None}
    if len(numbers) > 1:
        return alt.Scale(zero=False, nice=True)
    return alt.Scale(domain=[0, numbers.pop()] if any(numbers) else [-1, 1], nice=True)

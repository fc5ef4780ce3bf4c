"""A line for each system from its value under one set of labels to those under the next."""

from collections.abc import Sequence

import altair as alt

from evaluation.plots import style
from evaluation.plots.curves import spaced
from evaluation.plots.figure import Figure

COLOURS = {"rising": style.RISING, "falling": style.FALLING, "same": style.MUTED}
WIDTH_A_STEP = 170
HEIGHT, LINE_OF_TEXT = 420, 13


def draw(figure: Figure) -> alt.LayerChart:
    """Rows have `system`, `side` (a set of labels, in their order), `value` and `moved` (rising, falling or same). Each
    line is named on the left and on the right, with a short line to the name where it had to make way for others."""
    sides = list(dict.fromkeys(row["side"] for row in figure.rows))
    low, high = _domain([_value(row) for row in figure.rows])
    height = max(HEIGHT, LINE_OF_TEXT * (len({row["system"] for row in figure.rows}) + 1))
    gap = (high - low) * LINE_OF_TEXT / height
    along = alt.Scale(domain=[low, high], nice=False)
    base = alt.Chart(alt.Data(values=figure.rows)).encode(
        x=alt.X(
            "side:N", sort=sides, title=None, axis=alt.Axis(labelAngle=0, orient="top"), scale=alt.Scale(padding=1)
        ),
        y=alt.Y("value:Q", title=figure.words["y"], scale=along),
        color=alt.Color("moved:N", scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())), legend=None),
    )
    dash = alt.StrokeDash("moved:N", scale=alt.Scale(domain=list(COLOURS), range=[[1, 0], [5, 3], [1, 0]]), legend=None)
    lines = base.mark_line(strokeWidth=1.4).encode(detail="system:N", strokeDash=dash)
    points = base.mark_circle(size=26, opacity=1)
    named = []
    for side, align, way in ((sides[:1], "right", -1), (sides[-1:], "left", 1)):
        names = alt.Data(values=placed([row for row in figure.rows if row["side"] in side], low, high, gap))
        ends = base.properties(data=names)
        named.append(ends.mark_rule(xOffset=5 * way, x2Offset=16 * way, strokeWidth=0.7).encode(x2="side:N", y2="at:Q"))
        texts = ends.mark_text(align=align, dx=19 * way, fontSize=10, limit=WIDTH_A_STEP - 24)
        named.append(texts.encode(y=alt.Y("at:Q", scale=along), text="text:N"))
    return alt.layer(lines, points, *named).properties(
        width=WIDTH_A_STEP * (len(sides) + 1), height=height, title=style.title(figure)
    )


def placed(rows: Sequence[dict[str, object]], low: float, high: float, gap: float) -> list[dict[str, object]]:
    """The rows with the `text` that names each and the place `at` which it stands: none nearer to another than `gap`,
    none outside of `low` to `high`, which have room for all."""
    rising = sorted(rows, key=lambda row: (_value(row), str(row["system"])))
    places = spaced([_value(row) for row in rising], gap)
    from_top = [high - gap * step for step in reversed(range(len(rising)))]
    from_bottom = [low + gap * step for step in range(len(rising))]
    kept = [max(min(at, top), bottom) for at, top, bottom in zip(places, from_top, from_bottom, strict=True)]
    return [
        {**row, "at": at, "text": f"{row['system']} {_value(row):.3f}"} for row, at in zip(rising, kept, strict=True)
    ]


def _domain(values: Sequence[float]) -> tuple[float, float]:
    """From the lowest to the highest, with a margin."""
    margin = max(max(values) - min(values), 0.02) * 0.04
    return min(values) - margin, max(values) + margin


def _value(row: dict[str, object]) -> float:
    return float(str(row["value"]))

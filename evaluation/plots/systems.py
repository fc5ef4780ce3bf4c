"""Charts with a mark or a line for each system."""

from collections.abc import Sequence
from typing import Literal

import altair as alt

from evaluation.plots import style
from evaluation.plots.curves import spaced
from evaluation.plots.figure import Figure


def draw_means(figure: Figure) -> style.Chart:
    """The mean of each system with its interval, the best on top.

    Rows have `system`, `mean`, `low` and `high` (None where there is no interval), in their order.
    """
    order = figure.values("system")
    base = style.chart(figure.rows).encode(y=alt.Y("system:N", sort=order, title=None))
    along = _along([row[name] for row in figure.rows for name in ("mean", "low", "high")])
    intervals = base.mark_rule(color=style.SAME, strokeWidth=2).encode(
        x=alt.X("low:Q", scale=along, title=figure.words["x"]), x2="high:Q"
    )
    points = base.mark_circle(size=44, color=style.RISING, opacity=1).encode(x=alt.X("mean:Q", scale=along))
    return alt.layer(intervals, points).properties(width=420, height=alt.Step(15), title=style.title(figure))


def _along(values: Sequence[object]) -> alt.Scale:
    """Around the numbers; from 0 where there is but one, so that its axis has more than one tick."""
    numbers = {float(str(number)) for number in values if number is not None}
    if len(numbers) > 1:
        return alt.Scale(zero=False, nice=True)
    return alt.Scale(domain=[0, numbers.pop()] if any(numbers) else [-1, 1], nice=True)


def draw_changes(figure: Figure) -> style.Chart:
    """Two values of each row and the way between them: an open point before, a filled one after.

    Rows have `row`, `before` and `after`, in their order; `words` name both, and the axis `x`.
    """
    rows = figure.values("row")
    base = style.chart(figure.rows).encode(y=alt.Y("row:N", sort=rows, title=None))
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


_SOURCES = ["mixed", "people", "model"]
_SOURCE_COLOURS = [style.RISING, style.FALLING, style.MUTED]
_SHAPES = ["circle", "square", "triangle-up"]
_ROW, _WIDE_ROW, _MANY = 27, 38, 12


def draw_sources_beside(figure: Figure) -> style.Chart:
    """The value of each system by several sources, one below the other, with intervals where there are some.

    Rows have `system`, `source` (mixed, people or model), `mean`, `low` and `high` (None without an interval), the
    best system first; `words` name the sources, which stand beside the marks of the first system.
    """
    order = figure.values("system")
    rows = [{**row, "end": row["mean"] if row["high"] is None else row["high"]} for row in figure.rows]
    labels = [{**row, "text": figure.words[str(row["source"])]} for row in rows if row["system"] == order[0]]
    base = _placed(style.chart(rows), order)
    along = alt.Scale(zero=False, nice=True)
    colour = alt.Color("source:N", scale=alt.Scale(domain=_SOURCES, range=_SOURCE_COLOURS), legend=None)
    shape = alt.Shape("source:N", scale=alt.Scale(domain=_SOURCES, range=_SHAPES), legend=None)
    intervals = base.mark_rule(strokeWidth=1.8).encode(
        x=alt.X("low:Q", scale=along, title=figure.words["x"]), x2="high:Q", color=colour
    )
    points = base.mark_point(filled=True, size=30, opacity=1).encode(
        x=alt.X("mean:Q", scale=along), color=colour, shape=shape
    )
    names = _placed(style.chart(labels), order).mark_text(align="left", dx=8, fontSize=9)
    texts = names.encode(x=alt.X("end:Q", scale=along), text="text:N", color=colour)
    return alt.layer(intervals, points, texts).properties(
        width=460,
        height=alt.Step(_WIDE_ROW if len(order) <= _MANY else _ROW, **{"for": "position"}),
        title=style.title(figure),
    )


def _placed(chart: alt.Chart, order: list[str]) -> alt.Chart:
    placed: alt.Chart = chart.encode(
        y=alt.Y("system:N", sort=order, title=None, scale=alt.Scale(paddingInner=0.2)),
        yOffset=alt.YOffset("source:N", sort=_SOURCES, scale=alt.Scale(domain=_SOURCES)),
    )
    return placed


_BUMP_ROW = 17
_BUMP_WIDTH = 230
_MOVE_COLOURS = {"rising": style.RISING, "falling": style.FALLING, "same": style.SAME}


def draw_bump(figure: Figure) -> style.Chart:
    """The bump chart: a line for each system from its place under one rule to its place under another.

    Rows have `system`, `side` (left or right), `row` (from 1, tied systems one below the other), `text`, `moved`.
    """
    rows = max((int(str(row["row"])) for row in figure.rows), default=1)
    base = style.chart(figure.rows).encode(
        x=alt.X("side:N", axis=None, sort=["left", "right"], scale=alt.Scale(padding=0.5)),
        y=alt.Y("row:Q", axis=None, scale=alt.Scale(domain=[rows + 0.5, 0.5], nice=False)),
    )
    colour = alt.Color(
        "moved:N",
        scale=alt.Scale(domain=list(_MOVE_COLOURS), range=list(_MOVE_COLOURS.values())),
        legend=alt.Legend(title=None, orient="bottom"),
    )
    dash = alt.StrokeDash(
        "moved:N", scale=alt.Scale(domain=list(_MOVE_COLOURS), range=[[1, 0], [5, 3], [1, 0]]), legend=None
    )
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
        width=_BUMP_WIDTH * 2, height=_BUMP_ROW * max(rows, 4), title=alt.Title(figure.title, subtitle=heads)
    )


_SLOPE_COLOURS = {"rising": style.RISING, "falling": style.FALLING, "same": style.MUTED}
_WIDTH_A_STEP = 170
_LEAST_HEIGHT, _LINE_OF_TEXT = 420, 13


def draw_slopes(figure: Figure) -> style.Chart:
    """A line for each system from its value under one set of labels to those under the next.

    Rows have `system`, `side` (a set of labels, in their order), `value` and `moved` (rising, falling or same). Each
    line is named on the left and on the right, with a short line to the name where it had to make way for others.
    """
    sides = figure.values("side")
    low, high = _with_margin([_value(row) for row in figure.rows])
    height = max(_LEAST_HEIGHT, _LINE_OF_TEXT * (len({row["system"] for row in figure.rows}) + 1))
    gap = (high - low) * _LINE_OF_TEXT / height
    along = alt.Scale(domain=[low, high], nice=False)
    base = style.chart(figure.rows).encode(
        x=alt.X(
            "side:N", sort=sides, title=None, axis=alt.Axis(labelAngle=0, orient="top"), scale=alt.Scale(padding=1)
        ),
        y=alt.Y("value:Q", title=figure.words["y"], scale=along),
        color=alt.Color(
            "moved:N", scale=alt.Scale(domain=list(_SLOPE_COLOURS), range=list(_SLOPE_COLOURS.values())), legend=None
        ),
    )
    dash = alt.StrokeDash(
        "moved:N", scale=alt.Scale(domain=list(_SLOPE_COLOURS), range=[[1, 0], [5, 3], [1, 0]]), legend=None
    )
    lines = base.mark_line(strokeWidth=1.4).encode(detail="system:N", strokeDash=dash)
    points = base.mark_circle(size=26, opacity=1)
    named = []
    ways: list[tuple[list[str], Literal["left", "right"], int]] = [(sides[:1], "right", -1), (sides[-1:], "left", 1)]
    for side, align, way in ways:
        names = place_names([row for row in figure.rows if row["side"] in side], low, high, gap)
        ends = base.properties(data=style.data(names))
        named.append(ends.mark_rule(xOffset=5 * way, x2Offset=16 * way, strokeWidth=0.7).encode(x2="side:N", y2="at:Q"))
        texts = ends.mark_text(align=align, dx=19 * way, fontSize=10, limit=_WIDTH_A_STEP - 24)
        named.append(texts.encode(y=alt.Y("at:Q", scale=along), text="text:N"))
    return alt.layer(lines, points, *named).properties(
        width=_WIDTH_A_STEP * (len(sides) + 1), height=height, title=style.title(figure)
    )


def place_names(rows: Sequence[dict[str, object]], low: float, high: float, gap: float) -> list[dict[str, object]]:
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


def _with_margin(values: Sequence[float]) -> tuple[float, float]:
    """From the lowest to the highest, with a margin."""
    margin = max(max(values) - min(values), 0.02) * 0.04
    return min(values) - margin, max(values) + margin


def _value(row: dict[str, object]) -> float:
    return float(str(row["value"]))

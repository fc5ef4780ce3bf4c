"""Charts along a number: curves with bands, agreement over time, reliability diagrams."""

from collections.abc import Sequence

import altair as alt

from evaluation.plots import style
from evaluation.plots.figure import Figure

WIDTH, HEIGHT = 420, 320
# Told apart by the colour-blind and in grey print; lines that are only there to compare with are grey and dashed.
COLOURS = ["#0b5cab", "#a4480a", "#0f7d5f", "#8b4ea8", "#8a6d00", "#b3266d"]
DASHES = [[6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3], [10, 4]]
_LINE_OF_TEXT = 13 / HEIGHT


def draw_curves(figure: Figure) -> style.Chart:
    """Curves with bands: what a figure does along a share, a line for each way, named at its right end.

    Rows have `line`, `x`, `y`, `low` and `high` (None where undefined) and `is_beside` (a line to compare with).
    """
    names = figure.values("line")
    beside = {str(row["line"]) for row in figure.rows if row["is_beside"]}
    colours, dashes = _looks(names, beside)
    low, high = _domain(figure.rows)
    across = alt.Scale(domain=_ends([row["x"] for row in figure.rows]), nice=False)
    along = alt.Scale(domain=[low, high], nice=False, clamp=True)
    colour = alt.Color("line:N", scale=alt.Scale(domain=names, range=colours), legend=None)
    dash = alt.StrokeDash("line:N", scale=alt.Scale(domain=names, range=dashes), legend=None)
    base = style.chart(figure.rows).encode(
        x=alt.X("x:Q", title=figure.words["x"], scale=across, axis=alt.Axis(format="~%", values=_ticks(figure.rows)))
    )
    bands = base.mark_area().encode(
        y=alt.Y("low:Q", scale=along, title=figure.words["y"]),
        y2="high:Q",
        color=colour,
        opacity=alt.condition("datum.is_beside", alt.value(0.06), alt.value(0.16)),
    )
    lines = base.mark_line(strokeWidth=2).encode(y=alt.Y("y:Q", scale=along), color=colour, strokeDash=dash)
    points = base.mark_circle(size=26, opacity=1).encode(y=alt.Y("y:Q", scale=along), color=colour)
    ends = style.chart(_labels(figure.rows, names, high - low))
    texts = ends.mark_text(align="left", dx=10, fontSize=11, limit=220, clip=False).encode(
        x=alt.X("x:Q", scale=across), y=alt.Y("at:Q", scale=along), text="line:N", color=colour
    )
    return alt.layer(bands, lines, points, texts).properties(width=WIDTH, height=HEIGHT, title=style.title(figure))


def _looks(names: Sequence[str], beside: set[str]) -> tuple[list[str], list[list[int]]]:
    own = [name for name in names if name not in beside]
    quiet = [name for name in names if name in beside]
    colours = {name: COLOURS[place % len(COLOURS)] for place, name in enumerate(own)}
    dashes = {name: DASHES[place % len(DASHES)] for place, name in enumerate(quiet)}
    return [colours.get(name, style.MUTED) for name in names], [dashes.get(name, [1, 0]) for name in names]


def _domain(rows: Sequence[dict[str, object]]) -> tuple[float, float]:
    """From the lowest to the highest number, with a margin; up to 1 where nothing is above it."""
    numbers = [float(str(row[key])) for row in rows for key in ("y", "low", "high") if row[key] is not None]
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    margin = max(high - low, 0.02) * 0.06
    return low - margin, min(high + margin, 1.0) if high <= 1.0 and high + margin > 1.0 else high + margin


def _ends(values: Sequence[object]) -> list[float]:
    numbers = [float(str(value)) for value in values] or [0.0, 1.0]
    return [min(numbers) - 0.02, max(numbers) + 0.02]


def _ticks(rows: Sequence[dict[str, object]]) -> list[float]:
    return sorted({float(str(row["x"])) for row in rows})


def _labels(rows: Sequence[dict[str, object]], names: Sequence[str], height: float) -> list[dict[str, object]]:
    """Each line's name beside its last number, moved so that no two names lie over one another."""
    last = {str(row["line"]): (float(str(row["x"])), float(str(row["y"]))) for row in rows if row["y"] is not None}
    right = max((x for x, _ in last.values()), default=0.0)
    wanted = sorted((last[name][1], name) for name in names if name in last)
    places = spaced([at for at, _ in wanted], height * _LINE_OF_TEXT)
    return [{"x": right, "at": place, "line": name} for place, (_, name) in zip(places, wanted, strict=True)]


def spaced(rising: Sequence[float], gap: float) -> list[float]:
    """Rising places at least `gap` apart, groups that touch around the middle of what they stand for.

    >>> spaced([0.0, 0.0, 5.0], 1.0)
    [-0.5, 0.5, 5.0]
    """
    groups: list[list[float]] = []
    for place in rising:
        groups.append([place])
        while len(groups) > 1 and _low(groups[-1], gap) < _low(groups[-2], gap) + len(groups[-2]) * gap:
            groups[-2:] = [groups[-2] + groups[-1]]
    return [_low(group, gap) + step * gap for group in groups for step in range(len(group))]


def _low(group: Sequence[float], gap: float) -> float:
    return sum(group) / len(group) - (len(group) - 1) * gap / 2


def draw_trend(figure: Figure) -> style.Chart:
    """Agreement over time: one point a period, as large as its number of pairs.

    Rows have `period`, `value` (None where undefined) and `n`, in the order of time.
    """
    order = figure.values("period")
    base = style.chart(figure.rows).encode(
        x=alt.X("period:N", sort=order, title=None, axis=alt.Axis(labelAngle=0 if len(order) < 9 else -45)),
        y=alt.Y("value:Q", title=figure.words["y"], scale=alt.Scale(domainMax=1, zero=True)),
    )
    line = base.mark_line(color=style.SAME)
    points = base.mark_circle(color=style.RISING, opacity=1).encode(
        size=alt.Size("n:Q", title="pairs", scale=alt.Scale(range=[30, 300], zero=True))
    )
    return alt.layer(line, points).properties(width=420, height=220, title=figure.title)


_SIDE = 320


def draw_reliability(figure: Figure) -> style.Chart:
    """A reliability diagram: what was predicted beside what happened, one point a bin, as large as its number of pairs.

    Rows have `part` (of which pairs), `predicted` and `happened` (0 to 1) and `n`; bins without pairs are left out.

    On the diagonal probabilities mean what they say.
    """
    parts = figure.values("part")
    along = alt.Scale(domain=[0, 1])
    ends = style.chart([{"predicted": end, "happened": end} for end in (0, 1)])
    base = style.chart(figure.rows).encode(
        x=alt.X("predicted:Q", title=figure.words["x"], scale=along),
        y=alt.Y("happened:Q", title=figure.words["y"], scale=along),
        color=alt.Color(
            "part:N", title=None, sort=parts, scale=alt.Scale(domain=parts, range=[style.RISING, style.FALLING])
        ),
    )
    diagonal = ends.mark_line(color=style.LINE, strokeDash=[4, 4]).encode(x="predicted:Q", y="happened:Q")
    points = base.mark_point(filled=True, opacity=1).encode(
        shape=alt.Shape("part:N", title=None, sort=parts, scale=alt.Scale(domain=parts, range=["circle", "diamond"])),
        size=alt.Size("n:Q", title="pairs", scale=alt.Scale(range=[30, 300], zero=True)),
    )
    return alt.layer(diagonal, base.mark_line(strokeWidth=1.5), points).properties(
        width=_SIDE, height=_SIDE, title=style.title(figure)
    )

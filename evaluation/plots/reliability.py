"""A reliability diagram: what was predicted beside what happened, one point a bin, as large as its number of pairs."""

import altair as alt

from evaluation.plots import style
from evaluation.plots.figure import Figure

_SIDE = 320


def draw(figure: Figure) -> alt.LayerChart:
    """Rows have `part` (of which pairs), `predicted` and `happened` (0 to 1) and `n`; bins without pairs are left out.

    On the diagonal probabilities mean what they say.
    """
    parts = list(dict.fromkeys(row["part"] for row in figure.rows))
    along = alt.Scale(domain=[0, 1])
    ends = alt.Data(values=[{"predicted": end, "happened": end} for end in (0, 1)])
    base = alt.Chart(alt.Data(values=figure.rows)).encode(
        x=alt.X("predicted:Q", title=figure.words["x"], scale=along),
        y=alt.Y("happened:Q", title=figure.words["y"], scale=along),
        color=alt.Color(
            "part:N", title=None, sort=parts, scale=alt.Scale(domain=parts, range=[style.RISING, style.FALLING])
        ),
    )
    diagonal = alt.Chart(ends).mark_line(color=style.LINE, strokeDash=[4, 4]).encode(x="predicted:Q", y="happened:Q")
    points = base.mark_point(filled=True, opacity=1).encode(
        shape=alt.Shape("part:N", title=None, sort=parts, scale=alt.Scale(domain=parts, range=["circle", "diamond"])),
        size=alt.Size("n:Q", title="pairs", scale=alt.Scale(range=[30, 300], zero=True)),
    )
    return alt.layer(diagonal, base.mark_line(strokeWidth=1.5), points).properties(
        width=_SIDE, height=_SIDE, title=style.title(figure)
    )

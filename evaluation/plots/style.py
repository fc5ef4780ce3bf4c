"""How figures look: for white paper, safe for the colour-blind, readable at the width of a column."""

from collections.abc import Mapping, Sequence

import altair as alt

from evaluation.plots.figure import Figure

Chart = alt.LayerChart | alt.FacetChart  # what laying marks over one another gives

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
INK, MUTED, LINE = "#1d2126", "#59616b", "#c9ccd1"
RISING, FALLING, SAME = "#0b5cab", "#a4480a", "#8b8f94"
HEAT = ["#f4f7fb", "#0f4377"]

# Light and dark of a kind stand side by side; a cell of either is told from white and from its neighbours.
SERIES = ["#0b5cab", "#8fbce8", "#a4480a", "#efb583", "#59616b", "#c9ccd1"]
ON_SERIES = ["white", INK, "white", INK, "white", INK]


def title(figure: Figure) -> alt.Title:
    """The title, and below it what a figure says of its numbers (`words["subtitle"]`, a line each)."""
    lines = figure.words.get("subtitle", "").splitlines()
    return alt.Title(figure.title, subtitle=lines) if lines else alt.Title(figure.title)


def data(rows: Sequence[Mapping[str, object]]) -> alt.Data:
    return alt.Data(values=rows)  # type: ignore[no-untyped-call]  # Altair leaves this one class without types


def chart(rows: Sequence[Mapping[str, object]]) -> alt.Chart:
    return alt.Chart(data(rows))


def dressed(chart: Chart) -> Chart:
    """The chart on white, with the fonts and quiet axes that all figures share."""
    dressed: Chart = (
        chart.properties(background="white", padding=8)
        .configure(font=FONT)
        .configure_view(stroke=None)
        .configure_title(
            anchor="start", color=INK, fontSize=13, fontWeight=600, subtitleColor=MUTED, subtitleFontSize=11, offset=14
        )
        .configure_axis(
            labelColor=INK,
            titleColor=MUTED,
            titleFontWeight=400,
            gridColor="#eceef1",
            domainColor=LINE,
            tickColor=LINE,
            labelLimit=240,
        )
        .configure_legend(labelColor=INK, titleColor=MUTED, titleFontWeight=400)
    )
    return dressed

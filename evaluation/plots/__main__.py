"""`python -m evaluation.plots`: figures as JSON on stdin, each with its format; their drawings on stdout.

Each drawing follows its length, eight bytes with the highest first.
"""

import json
import sys
from xml.sax.saxutils import escape

import vl_convert

from evaluation.plots import curves, grids, rendering, style, systems
from evaluation.plots.figure import Figure

PNG_SCALE = 3
CHARTS = {
    "bump": systems.draw_bump,
    "changes": systems.draw_changes,
    "curves": curves.draw_curves,
    "grid": grids.draw_grid,
    "heat": grids.draw_heat,
    "means": systems.draw_means,
    "reliability": curves.draw_reliability,
    "shares": grids.draw_shares,
    "slopes": systems.draw_slopes,
    "sources_beside": systems.draw_sources_beside,
    "trend": curves.draw_trend,
}


def main() -> None:
    for format, figure in json.loads(sys.stdin.buffer.read()):
        content = drawn(Figure(**figure), format)
        sys.stdout.buffer.write(len(content).to_bytes(8) + content)


def drawn(figure: Figure, format: str) -> bytes:
    specification = style.dressed(CHARTS[figure.chart](figure)).to_dict()
    if format == "png":
        words = {"Title": figure.title, "Description": figure.description}
        return rendering.described(vl_convert.vegalite_to_png(specification, scale=PNG_SCALE), words)
    return _described(vl_convert.vegalite_to_svg(specification), figure).encode()


def _described(svg: str, figure: Figure) -> str:
    """The SVG with its text alternative as its first children, where readers look for it."""
    opening, end, rest = svg.partition(">")
    alternative = f"<title>{escape(figure.title)}</title><desc>{escape(figure.description)}</desc>"
    return f'{opening} role="img"{end}{alternative}{rest}'


if __name__ == "__main__":
    main()

"""`python -m evaluation.plots`: figures as JSON on stdin, each with its format; their drawings on stdout.

Each drawing follows its length, eight bytes with the highest first.
"""

import importlib
import json
import sys
from xml.sax.saxutils import escape

import altair as alt
import vl_convert

from evaluation.plots import png_text, style
from evaluation.plots.figure import Figure

PNG_SCALE = 3


def main() -> None:
    for format, figure in json.loads(sys.stdin.buffer.read()):
        content = drawn(Figure(**figure), format)
        sys.stdout.buffer.write(len(content).to_bytes(8) + content)


def drawn(figure: Figure, format: str) -> bytes:
    chart: alt.TopLevelMixin = importlib.import_module(f"evaluation.plots.{figure.chart}").draw(figure)
    specification = style.dressed(chart).to_dict()
    if format == "png":
        words = {"Title": figure.title, "Description": figure.description}
        return png_text.described(vl_convert.vegalite_to_png(specification, scale=PNG_SCALE), words)
    return _told(vl_convert.vegalite_to_svg(specification), figure).encode()


def _told(svg: str, figure: Figure) -> str:
    """The SVG with its text alternative as its first children, where readers look for it."""
    opening, end, rest = svg.partition(">")
    told = f"<title>{escape(figure.title)}</title><desc>{escape(figure.description)}</desc>"
    return f'{opening} role="img"{end}{told}{rest}'


if __name__ == "__main__":
    main()

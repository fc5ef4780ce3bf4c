"""Draws the plan of the house, docs/plan.svg: the rooms as a ladder, from the import contracts in pyproject.toml.

What a room does is the first line of its docstring. With --check nothing is written: the exit code is 1 where the
picture is not the one of today.
"""

import ast
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from html import escape
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLAN = ROOT / "docs" / "plan.svg"
APPS = ("annotate", "evaluation")

WIDTH, MARGIN, GAP = 1200, 24, 32
COLUMN = (WIDTH - 2 * MARGIN - GAP) // 2
TOP = 88  # of the first room, below the heads
NAME_WIDTH, PADDING, LINE, BETWEEN = 116, 7, 17, 5
LETTERS = (COLUMN - NAME_WIDTH - 2 * PADDING) // 7  # of a line of a description, in a wide font
LEGEND = (
    "A room imports only from rooms below it; rooms that touch do not import each other. Green: pure, without Django. "
    "evaluation imports annotate, never the other way round."
)
STYLE = """
    svg { --ground: #ffffff; --room: #f3f5f8; --pure: #e6f2ea; --edge: #b6c0cc; --ink: #1c2733; --soft: #566472 }
    @media (prefers-color-scheme: dark) {
      svg { --ground: #12181f; --room: #1d2630; --pure: #1a3026; --edge: #46566a; --ink: #e6ebf0; --soft: #a3b1bf }
    }
    text { fill: var(--ink); font: 13px system-ui, sans-serif }
    .ground { fill: var(--ground) }
    .room { fill: var(--room); stroke: var(--edge) }
    .pure { fill: var(--pure) }
    .name { font: 600 13px ui-monospace, monospace }
    .head { font-size: 18px; font-weight: 600 }
    .soft { fill: var(--soft) }
"""


@dataclass(frozen=True)
class Room:
    name: str
    lines: list[str]
    is_pure: bool


def read_ladder(app: str, contracts: list[dict[str, list[str]]]) -> list[list[Room]]:
    """The rooms of an app from the top floor down; those of one floor do not import each other."""
    layers = next(contract["layers"] for contract in contracts if contract.get("containers") == [app])
    pure = next(contract["source_modules"] for contract in contracts if "pure" in contract["name"])
    return [[_read_room(app, name.strip(), pure) for name in layer.split("|")] for layer in layers]


def _read_room(app: str, name: str, pure: list[str]) -> Room:
    paths = (ROOT / app / name / "__init__.py", ROOT / app / f"{name}.py")
    path = next(path for path in paths if path.exists())
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    if not docstring:
        sys.exit(f"{path.relative_to(ROOT)} has no docstring; its first line says in the plan what the room does.")
    lines = textwrap.wrap(docstring.splitlines()[0], int(LETTERS))
    return Room(name, lines, any(fnmatchcase(f"{app}.{name}", pattern) for pattern in pure))


def draw(ladders: dict[str, list[list[Room]]], order: str) -> str:
    height = max(_height(ladder) for ladder in ladders.values()) + TOP + 64
    lines = chain.from_iterable(
        _column(app, ladder, MARGIN + number * (COLUMN + GAP)) for number, (app, ladder) in enumerate(ladders.items())
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
            "<title>The rooms of annotate and evaluation, from the top floor down</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="ground" width="{WIDTH}" height="{height}"/>',
            _text(MARGIN, 30, LEGEND, "soft"),
            *lines,
            _text(MARGIN, height - 26, f"Inside a room, from the top down: {order}", "soft"),
            "</svg>\n",
        ]
    )


def _column(app: str, ladder: list[list[Room]], x: int) -> Iterator[str]:
    yield _text(x, TOP - 18, app, "head")
    y = TOP
    for floor in ladder:
        for room in floor:
            yield from _box(room, x, y)
            y += _room_height(room)
        y += BETWEEN


def _box(room: Room, x: int, y: int) -> Iterator[str]:
    kind = "room pure" if room.is_pure else "room"
    yield f'<rect class="{kind}" x="{x}" y="{y}" width="{COLUMN}" height="{_room_height(room)}" rx="3"/>'
    baseline = y + PADDING + 13
    yield _text(x + PADDING, baseline, room.name, "name")
    for number, line in enumerate(room.lines):
        yield _text(x + NAME_WIDTH, baseline + number * LINE, line)


def _room_height(room: Room) -> int:
    return 2 * PADDING + LINE * len(room.lines)


def _height(ladder: list[list[Room]]) -> int:
    return sum(BETWEEN + sum(map(_room_height, floor)) for floor in ladder)


def _text(x: int, y: int, words: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{named}>{escape(words)}</text>'


def main() -> int:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    contracts = tools["importlinter"]["contracts"]
    inside = next(contract["layers"] for contract in contracts if contract["name"].startswith("annotate: inside"))
    order = " > ".join(layer.replace("(", "").replace(")", "").replace(" | ", ", ") for layer in inside)
    picture = draw({app: read_ladder(app, contracts) for app in APPS}, order)
    if "--check" not in sys.argv:
        PLAN.write_text(picture, encoding="utf-8")
    elif not PLAN.exists() or PLAN.read_text(encoding="utf-8") != picture:
        print("docs/plan.svg is not the plan of today. Draw it again: .venv/bin/python scripts/draw_plan.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

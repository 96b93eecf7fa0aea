"""The diagrams of the rules as SVG, drawn with the banners of `gonfalon.drawing`.

A diagram is a fenced block of `rules.md`; `web/build/rules.ts` and the page's `Diagram.svelte` files have the form of
each kind.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path

import gonfalon
from gonfalon.drawing.layouts import LAYOUTS
from gonfalon.drawing.pieces import INK, LINE, LINEN, MARK, PAPER, SHEET, WATER, draw_piece, draw_token, place, write
from gonfalon.engine.screens.scene import Board, Line, Region, Scene, Space, Tint, Token

GAMES = Path(__file__).resolve().parents[2] / "src" / "gonfalon" / "games"
SIDES = {"r": "red", "b": "blue", "g": "green", "o": "ochre"}
CELLS = {"board": (48.0, 48.0), "cards": (58.0, 74.0)}
"""Width and height of a cell, by kind of diagram."""
MAPS = {"isle": "conquest", "narrows": "conquest-narrows"}
"""Variant that is played on a map."""
SHORE = 20.0
"""Sea around the part of a map that is shown, in board units."""
REACH = 1.72
"""Size of a banner on a map, as a multiple of the free circle's radius."""
Point = tuple[float, float]


def draw_diagram(kind: str, label: str, text: str, family: str) -> str:
    """Return a diagram as a figure in HTML. Raises ValueError for an unknown kind of diagram, map, side or piece."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    if kind == "map":
        name, _, label = label.partition(" ")
        drawing = _draw_map(name, rows)
    elif kind in CELLS:
        drawing = _draw_cells(kind, rows, family)
    else:
        raise ValueError(f"no diagram {kind!r}; there are map, {', '.join(CELLS)}")
    named = f'role="img" aria-label="{escape(label)}"'
    return f"<figure>{drawing.replace('<svg ', f'<svg {named} ', 1)}<figcaption>{escape(label)}</figcaption></figure>"


def _join(x: float, y: float, width: float, height: float, content: str) -> str:
    return f'<svg viewBox="{x:g} {y:g} {width:g} {height:g}" width="{width:g}">{content}</svg>'


# ---- squares and cards -------------------------------------------------------------------------------------------


def _draw_cells(kind: str, rows: Sequence[Sequence[str]], family: str) -> str:
    wide, high = CELLS[kind]
    columns = max(map(len, rows))
    parts = [f'<rect width="{columns * wide:g}" height="{len(rows) * high:g}" fill="{LINEN}"/>']
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            ground = _draw_square if kind == "board" else _draw_place
            parts.append(ground(cell, x * wide, y * high, wide, high))
            if cell[0] in SIDES:
                size = wide - 6
                left, top = (x + 0.5) * wide - size / 2, (y + 0.5) * high - size / 2
                parts.append(place(draw_piece(SIDES[cell[0]], _find_face(cell[1], family)), left, top, size))
            elif "*" in cell:
                parts.append(f'<circle cx="{(x + 0.5) * wide:g}" cy="{(y + 0.5) * high:g}" r="9" fill="{MARK}"/>')
            elif cell not in ("..", "~~", "--"):
                raise ValueError(f"no such cell of a diagram: {cell!r}")
    return _join(0, 0, columns * wide, len(rows) * high, "".join(parts))


def _draw_square(cell: str, x: float, y: float, wide: float, high: float) -> str:
    fill = WATER if cell == "~~" else LINEN
    return f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" fill="{fill}" stroke="{PAPER}"/>'


def _draw_place(cell: str, x: float, y: float, wide: float, high: float) -> str:
    """Return the card on a place, or the outline of a gap."""
    style = (
        f'fill="{SHEET}" stroke="{LINE}"' if cell[0] in SIDES else f'fill="none" stroke="{LINE}" stroke-dasharray="4 3"'
    )
    return f'<rect x="{x + 3:g}" y="{y + 3:g}" width="{wide - 6:g}" height="{high - 6:g}" rx="4" {style}/>'


@cache
def _read_faces(family: str) -> dict[str, dict[str, str]]:
    """Return the drawings of a family's pieces by name. A family without any has those of the board games."""
    file = GAMES / family / "screen" / "glyphs.json"
    if not file.exists():
        return _read_faces("grid")
    faces: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8"))
    return faces


def _find_face(letter: str, family: str) -> str:
    """Return the piece with this numeral or, if its rank is no digit from 2 to 9, with this first letter. Empty for
    `?`, a hidden piece. Raises ValueError.
    """
    if letter == "?":
        return ""
    faces = _read_faces(family)
    for name, face in faces.items():
        if face["numeral"] == letter:
            return name
    for name, face in faces.items():
        if name.startswith(letter.lower()) and not re.search("[2-9]", face["numeral"]):
            return name
    raise ValueError(f"{family} has no piece {letter!r}")


# ---- maps --------------------------------------------------------------------------------------------------------


def _draw_map(name: str, rows: Sequence[Sequence[str]]) -> str:
    """Draw a part of a map: `show` and the regions (or `all`), then owners, units, marked zones and arrows."""
    if name not in MAPS:
        raise ValueError(f"no map {name!r}; there are {', '.join(MAPS)}")
    board = gonfalon.make(MAPS[name]).board()
    (_, *shown), *rest = rows
    spaces = {space.id: space for space in board.spaces}
    within = [space for space in board.spaces if shown == ["all"] or space.zone in shown]
    tints = [Tint(row[1], f"held.{row[2]}") for row in rest if row[0] == "held"]
    scene = Scene((), (), tuple(tints), (), Line(""), (), 0)
    whole = LAYOUTS["map"](board, scene, {}, False)
    land = re.sub(r"^<svg[^>]*><title>.*?</title>|<text .*?</text>|</svg>$", "", whole)
    reaches = sorted(space.reach for space in board.spaces)
    size = REACH * reaches[len(reaches) // 3]
    veil = "".join(
        f'<path d="{space.outline}" fill="{SHEET}" fill-opacity=".6"/>' for space in board.spaces if space not in within
    )
    names = [_name_region(region) for region in board.regions if any(space.zone == region.id for space in within)]
    return _join(*_find_frame(board, within), "".join([land, veil, *_draw_units(rest, spaces, size), *names]))


def _name_region(region: Region) -> str:
    """Return the name of a region above all units, with a light edge."""
    first = region.place[1] + region.size * (0.34 - (len(region.lines) - 1) / 2)
    lines = (
        write(line, region.place[0], first + number * region.size, region.size, colour=INK)
        for number, line in enumerate(region.lines)
    )
    return f'<g stroke="{SHEET}" stroke-width="5" stroke-linejoin="round" paint-order="stroke">{"".join(lines)}</g>'


def _draw_units(rows: Sequence[Sequence[str]], spaces: dict[str, Space], size: float) -> Iterator[str]:
    """Yield what stands on a map: marked zones, then units, then arrows."""
    own = [row for row in rows if row[0] != "held"]
    for zone in [row[0] for row in own if row[1] == "*"]:
        yield f'<path d="{spaces[zone].outline}" fill="none" stroke="{MARK}" stroke-width="8"/>'
    for zone, side, *rest in [row for row in own if row[1] not in ("*", ">")]:
        face, *marks = rest
        x, y = spaces[zone].place
        unit = draw_token(Token("", zone, side, "" if face == "?" else face, tuple(marks)))
        yield place(unit, x - size / 2, y - size / 2, size)
    for row in [row for row in own if row[1] == ">"]:
        yield _draw_arrow([spaces[zone].place for zone in row if zone != ">"], size * 0.52)


def _draw_arrow(points: list[Point], gap: float) -> str:
    """Return an arrow that stops before the units at both ends."""
    ends = [_stop_before(points[1], points[0], gap), *points[1:-1], _stop_before(points[-2], points[-1], gap)]
    line = "M" + "L".join(f"{x:g} {y:g}" for x, y in ends)
    (x, y), (from_x, from_y) = ends[-1], points[-2]
    turn = math.degrees(math.atan2(y - from_y, x - from_x))
    return (
        f'<path d="{line}" fill="none" stroke="{SHEET}" stroke-opacity=".8" stroke-width="13"/>'
        f'<path d="{line}" fill="none" stroke="{INK}" stroke-width="6" stroke-dasharray="1 11" stroke-linecap="round"/>'
        f'<path d="M-18 -13L6 0L-18 13Z" fill="{INK}" transform="translate({x:g} {y:g}) rotate({turn:g})"/>'
    )


def _stop_before(start: Point, end: Point, gap: float) -> Point:
    far = math.dist(start, end)
    return end[0] - (end[0] - start[0]) * gap / far, end[1] - (end[1] - start[1]) * gap / far


def _find_frame(board: Board, spaces: Sequence[Space]) -> tuple[float, float, float, float]:
    """Return left edge, upper edge, width and height of the part with these spaces, with a strip around it."""
    numbers = [float(number) for space in spaces for number in re.findall(r"-?[\d.]+", space.outline)]
    xs, ys = numbers[::2], numbers[1::2]
    left, top = max(0.0, min(xs) - SHORE), max(0.0, min(ys) - SHORE)
    return left, top, min(board.columns, max(xs) + SHORE) - left, min(board.rows, max(ys) + SHORE) - top

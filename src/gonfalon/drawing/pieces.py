"""Banners: the pieces of all games as SVG, in a field of 48 by 48."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from gonfalon.engine.screens.scene import Token
from gonfalon.games import banners, glyphs

PAPER, SHEET, LINEN, THREAD = "#f4efe4", "#fbf8f1", "#e8dfca", "#d9ceb4"
INK, SOFT, POLE, ON_CLOTH = "#1f2328", "#5a574d", "#5d4a2b", "#fbf6ea"
WATER, ROCK, MARK, LINE = "#9fbabd", "#a99f8c", "#96600f", "#cfc4ac"
COLOURS = {"red": "#b3322b", "blue": "#2b5c8a", "green": "#4f7a3a", "ochre": "#b87a1e"}
"""Colours of the page in daylight (web/src/styles/app.css). Pictures stand on pages of others, so they have no dark
form.
"""
TITLE, TEXT = "Grenze, 'Alegreya Sans', serif", "'Alegreya Sans', 'Gill Sans', 'Segoe UI', sans-serif"
RING = "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 4a5 5 0 1 1 0 10 5 5 0 0 1 0-10z"
"""Drawing of a type without one."""
FIELD = 48
MARKS = {
    "seen": '<circle cx="6" cy="6" r="2.6"/>',
    "among": '<path d="M2.8 2.6h3.6v6H2.8zM5.8 4h3.6v6H5.8z" fill="none" stroke="{ink}"/>',
    "moved": '<path d="M2.4 9.2h2.5V6.6h2.4V4h2.5" fill="none" stroke="{ink}" stroke-width="1.5"/>',
}
"""Drawing of a mark, in a field of 12 by 12. A token shows the first mark that it has."""


class Likely(NamedTuple):
    """The most frequent type of a hidden piece, and its share of the worlds."""

    face: str
    share: float


def draw_token(token: Token, likely: Likely | None = None) -> str:
    """Return the banner of a token. `likely`: for a hidden one."""
    face = token.face
    parts = [_cloth(token.side)]
    if face:
        parts.append(_face(face, COLOURS.get(token.side, INK) if "seen" in token.marks else ""))
    elif likely is not None and likely.face:
        parts += [f'<g opacity="{0.35 + 0.65 * likely.share:.2f}">{_face(likely.face, "")}</g>', _share(likely.share)]
    else:
        parts.append(f'<path d="{_weave(5, 5)}" fill="none" stroke="{ON_CLOTH}" stroke-opacity=".34"/>')
    parts.append(f'<path d="M3.5 4h41" stroke="{POLE}" stroke-width="3" stroke-linecap="round"/>')
    mark = next((MARKS[name] for name in MARKS if name in token.marks), "")
    if mark:
        ring = f'<circle cx="6" cy="6" r="6.5" fill="{SHEET}" stroke="{COLOURS.get(token.side, INK)}"/>'
        parts.append(f'<g transform="translate(34.5 -.5)">{ring}{mark.format(ink=INK)}</g>')
    return "".join(parts)


def draw_piece(side: str, face: str) -> str:
    """Return a banner without marks; `face` is empty for a hidden one."""
    return draw_token(Token("", "", side, face))


def place(content: str, x: float, y: float, size: float) -> str:
    """Return a banner at a place of a picture, with this size."""
    return f'<g transform="translate({x:g} {y:g}) scale({size / FIELD:g})">{content}</g>'


def write(text: str, x: float, y: float, size: float, *, anchor: str = "middle", colour: str = SOFT) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-family="{TEXT}" text-anchor="{anchor}" '
        f'fill="{colour}">{escape(text)}</text>'
    )


def join(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    """Return the picture with these parts."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img">'
        f'<title>{escape(title)}</title><rect width="{width:g}" height="{height:g}" fill="{PAPER}"/>'
        f"{''.join(parts)}</svg>"
    )


def _cloth(side: str) -> str:
    outlines = banners()
    return f'<path d="{outlines.get(side, outlines["blue"])}" fill="{COLOURS.get(side, INK)}"/>'


def _face(face: str, outline: str) -> str:
    """Return numeral and emblem of a type. `outline`: colour of the cloth if they are drawn as outlines."""
    drawing = glyphs().get(face, {"numeral": "", "path": RING})
    style = f'fill="{ON_CLOTH}"'
    if outline:
        style = f'fill="{outline}" stroke="{ON_CLOTH}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
    if not drawing["numeral"]:
        where = "translate(11.4 8.4) scale(1.05)"
        return f'<path fill-rule="evenodd" {style} transform="{where}" d="{drawing["path"]}"/>'
    where = "translate(17.1 25.6) scale(.575)"
    return (
        f'<text x="24" y="23.2" text-anchor="middle" font-family="{TITLE}" font-weight="700" font-size="26.5" {style}>'
        f'{drawing["numeral"]}</text><path fill-rule="evenodd" {style} transform="{where}" d="{drawing["path"]}"/>'
    )


def _share(share: float) -> str:
    return (
        f'<rect x="12" y="35" width="24" height="10" rx="2" fill="{SHEET}"/>'
        f'<text x="24" y="43" text-anchor="middle" font-family="{TEXT}" font-size="9" fill="{INK}">{share:.0%}</text>'
    )


def _weave(columns: int, rows: int) -> str:
    """Return the threads of a hidden banner, in turn in two directions."""
    threads = []
    for row in range(rows):
        for column in range(columns):
            x, y = 9.4 + 6 * column, 7.4 + 6 * row
            along = (row + column) % 2
            threads += [f"M{x:g} {y + at:g}h5.2" if along else f"M{x + at:g} {y:g}v5.2" for at in (1.5, 3.7)]
    return "".join(threads)

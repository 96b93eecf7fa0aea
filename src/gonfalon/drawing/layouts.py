"""Boards as SVG: squares, maps, and rows of cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gonfalon.drawing.pieces import (
    COLOURS,
    INK,
    LINE,
    LINEN,
    MARK,
    PAPER,
    ROCK,
    SHEET,
    SOFT,
    THREAD,
    WATER,
    Likely,
    draw_piece,
    draw_token,
    join,
    place,
    write,
)
from gonfalon.engine.screens.scene import Board, Scene, Space, Tray

Beliefs = Mapping[str, Likely]
"""Most frequent type by place."""
CELL, MARGIN, TRAY = 48.0, 22.0, 26.0
"""Sizes of a square, of the room for the names of rows and columns, and of a piece beside the board."""
TONES = ("#dcc69d", "#cbb58a", "#bdb48c", "#d3b08a", "#c5a07c")
"""Colours of regions by their number (`Region.tone`)."""
SEA = "#c3d2d3"
MAP_PIECE = 1.25
"""Size of a piece on a map, as a multiple of the free circle's radius."""
CARD, CARD_GAP = 72.0, 14.0


def _draw_grid(board: Board, scene: Scene, likely: Beliefs, turned: bool) -> str:
    width, height = board.columns * CELL, board.rows * CELL

    def find(space: Space) -> tuple[float, float]:
        """Return the upper left corner of a square."""
        column, row = space.place
        if turned:
            column, row = board.columns - 1 - column, board.rows - 1 - row
        return MARGIN + column * CELL, (board.rows - 1 - row) * CELL

    corners = {space.id: find(space) for space in board.spaces}
    parts = [_draw_square(space, *corners[space.id]) for space in board.spaces]
    parts += [_frame(*corners[tint.place]) for tint in scene.tints if tint.place in corners]
    parts += [
        place(
            draw_token(token, likely.get(token.place)),
            corners[token.place][0] + 3,
            corners[token.place][1] + 3,
            CELL - 6,
        )
        for token in scene.tokens
        if token.place in corners
    ]
    for space in board.spaces:
        x, y = corners[space.id]
        if space.place[1] == (board.rows - 1 if turned else 0):
            parts.append(write(space.id[0], x + CELL / 2, height + 16, 14))
        if space.place[0] == (board.columns - 1 if turned else 0):
            parts.append(write(space.id[1:], MARGIN - 8, y + CELL / 2 + 5, 14))
    trays, below = _draw_trays(scene.trays, MARGIN, height + MARGIN + 6, width)
    return join(width + MARGIN + 6, height + MARGIN + 6 + below, _title(scene), [*parts, *trays])


def _draw_square(space: Space, x: float, y: float) -> str:
    fill = {"water": WATER, "rock": ROCK}.get(space.ground, LINEN)
    square = f'<rect x="{x:g}" y="{y:g}" width="{CELL:g}" height="{CELL:g}" fill="{fill}" stroke="{PAPER}"/>'
    if space.ground != "land":
        return square
    along = sum(space.place) % 2 == 0
    threads = "".join(
        f"M{x + 4:g} {y + at * CELL:g}h{CELL - 8:g}" if along else f"M{x + at * CELL:g} {y + 4:g}v{CELL - 8:g}"
        for at in (0.2, 0.4, 0.6, 0.8)
    )
    return f'{square}<path d="{threads}" fill="none" stroke="{THREAD}" stroke-width="1.4"/>'


def _frame(x: float, y: float) -> str:
    """Return the outline of a highlighted square."""
    return (
        f'<rect x="{x + 1.5:g}" y="{y + 1.5:g}" width="{CELL - 3:g}" height="{CELL - 3:g}" fill="none" '
        f'stroke="{MARK}" stroke-width="3"/>'
    )


def _draw_map(board: Board, scene: Scene, likely: Beliefs, turned: bool) -> str:  # noqa: ARG001 - maps have no far side
    spaces = {space.id: space for space in board.spaces}
    tones = {region.id: TONES[region.tone] for region in board.regions}
    holders = {tint.place: tint.kind.partition(".")[2] for tint in scene.tints if tint.kind.startswith("held.")}
    parts = [f'<rect width="{board.columns}" height="{board.rows}" fill="{SEA}"/>']
    parts += [f'<path d="{islet}" fill="{TONES[1]}"/>' for islet in board.islets]
    parts += [
        f'<path d="{space.outline}" fill="{tones.get(space.zone, LINEN)}" stroke="{SOFT}" stroke-width="2"/>'
        for space in board.spaces
    ]
    parts += [
        f'<path d="{space.outline}" fill="{COLOURS[holders[space.zone]]}" fill-opacity=".3"/>'
        for space in board.spaces
        if holders.get(space.zone) in COLOURS
    ]
    parts.append(f'<path d="{board.frontier}" fill="none" stroke="{INK}" stroke-width="4"/>')
    parts += [f'<path d="{ridge}" fill="none" stroke="{ROCK}" stroke-width="12"/>' for ridge in board.ridges]
    for token in scene.tokens:
        if (space_of := spaces.get(token.place)) is not None:
            size = MAP_PIECE * space_of.reach
            x, y = space_of.place
            parts.append(place(draw_token(token, likely.get(token.place)), x - size / 2, y - size / 2, size))
    for region in board.regions:
        first = region.place[1] + region.size * (0.34 - (len(region.lines) - 1) / 2)
        for number, line in enumerate(region.lines):
            parts.append(write(line, region.place[0], first + number * region.size, region.size, colour=INK))
    trays, below = _draw_trays(scene.trays, 10, board.rows + 10, board.columns - 20, 2.0)
    return join(board.columns, board.rows + 10 + below, _title(scene), [*parts, *trays])


def _draw_table(board: Board, scene: Scene, likely: Beliefs, turned: bool) -> str:
    step, height = CARD + CARD_GAP, CARD * 1.375
    spaces = {space.id: space for space in board.spaces}
    parts = []
    for token in scene.tokens:
        column, row = spaces[token.place].place
        if turned:
            column, row = board.columns - 1 - column, board.rows - 1 - row
        x, y = CARD_GAP + column * step, CARD_GAP + (board.rows - 1 - row) * (height + 2 * CARD_GAP)
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{CARD:g}" height="{height:g}" rx="5" fill="{SHEET}" '
            f'stroke="{COLOURS.get(token.side, LINE)}" stroke-width="2"/>'
        )
        parts.append(place(draw_token(token, likely.get(token.place)), x + 8, y + (height - CARD) / 2 + 8, CARD - 16))
    top = CARD_GAP + board.rows * (height + 2 * CARD_GAP) - CARD_GAP
    width = CARD_GAP + board.columns * step
    trays, below = _draw_trays(scene.trays, CARD_GAP, top, width - 2 * CARD_GAP)
    return join(width, top + below, _title(scene), [*parts, *trays])


def _draw_trays(
    trays: tuple[Tray, ...], x: float, y: float, width: float, scale: float = 1.0
) -> tuple[list[str], float]:
    """Return the pieces beside the board, one row for each tray, and their height."""
    size, parts, at = TRAY * scale, [], y
    most = max(1, int((width - 3 * size) // (1.7 * size)))
    for tray in trays:
        if not tray.items:
            continue
        parts.append(write(tray.kind, x, at + size * 0.66, size * 0.5, anchor="start"))
        for number, item in enumerate(tray.items):
            if number and number % most == 0:
                at += size * 1.1
            left = x + 3 * size + (number % most) * 1.7 * size
            parts.append(place(draw_piece(item.side or tray.side, item.face), left, at, size))
            if item.count > 1:
                parts.append(write(f"×{item.count}", left + size * 1.05, at + size * 0.66, size * 0.46, anchor="start"))
        at += size * 1.2
    return parts, at - y + 4


def _title(scene: Scene) -> str:
    """Return a description for readers who do not see the picture."""
    told = [f"turn {scene.turn}"]
    for side in dict.fromkeys(token.side for token in scene.tokens):
        own = [token for token in scene.tokens if token.side == side]
        known = [f"{token.face} {token.place}" for token in own if token.face]
        hidden = [token.place for token in own if not token.face]
        told.append(f"{side}: {', '.join(known)}" + (f"; hidden {' '.join(hidden)}" if hidden else ""))
    return ". ".join(told)


LAYOUTS: dict[str, Callable[[Board, Scene, Beliefs, bool], str]] = {
    "grid": _draw_grid,
    "map": _draw_map,
    "table": _draw_table,
}

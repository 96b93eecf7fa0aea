"""What a screen is told: one vocabulary for all games and three layouts (`grid`, `map`, `table`).

The page knows layouts and face names, never rules. Static `Board` once; then `Scene` (what is shown), and `Choice`s
(what can be done). A choice is a short path of ids - spaces, tray items, buttons - that ends in one action. Paths of
one list are prefix-free: after each step of a path it is clear whether it is complete.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Line(msgspec.Struct, frozen=True):
    """A text as code and arguments; words come from a message catalogue."""

    code: str
    args: dict[str, Any] = {}


class Space(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place on the board where a token can stand, and a button on the page."""

    id: str
    name: str
    place: tuple[float, float]
    """Column and row from the first player's left near corner; on a map, board units."""
    ground: str = "land"
    """`land`, or what nothing enters: `water`, `rock`."""
    near: tuple[str, ...] = ()
    """Neighbouring spaces, for keyboard and screen reader."""
    outline: str = ""
    """SVG path (layout `map`)."""
    reach: float = 0
    """How far a token on it may reach around `place` (layout `map`), board units."""
    zone: str = ""
    tags: tuple[str, ...] = ()


class Region(msgspec.Struct, frozen=True, omit_defaults=True):
    """Spaces that belong together and have a name (layout `map`); `Space.zone` is its id. Places in board units."""

    id: str
    name: str
    lines: tuple[str, ...]
    """The name as it is written on the map, line by line."""
    place: tuple[float, float]
    """The middle of these lines."""
    size: float
    """Height of a line."""
    tone: int
    """Neighbours have different ones, from 0 to 4."""
    tower: tuple[float, float] | None = None
    """Where its city stands."""


class Board(msgspec.Struct, frozen=True, omit_defaults=True):
    layout: str
    columns: int
    """On a map, its width in board units; `rows` its height."""
    rows: int
    spaces: tuple[Space, ...]
    ridges: tuple[str, ...] = ()
    """SVG paths that nothing crosses (layout `map`)."""
    regions: tuple[Region, ...] = ()
    frontier: str = ""
    """SVG path of the borders between regions."""
    islets: tuple[str, ...] = ()
    """SVG paths of small islands that are only looked at."""


class Token(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece on the board. `id` follows what all could see of its way, never its identity."""

    id: str
    place: str
    side: str
    face: str = ""
    """Piece type if the viewer knows it: `captain`, `bomb`; empty for an unknown one."""
    marks: tuple[str, ...] = ()
    """`moved` (not a Bomb or Flag), `seen` (its type is known, beyond its owner), `among` (known as one of a group),
    `spent` (its rescue or power is used).
    """


class TrayItem(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    face: str
    count: int = 1
    side: str = ""
    """Whose it is, where it is not of the tray's side: a captured Flag."""


class Tray(msgspec.Struct, frozen=True):
    """Pieces or cards beside the board; `kind`: `lost`, `hand`, `pile`, `reserve`, `flags`, `cards`, `discard`.

    `side` is empty where it is nobody's own.
    """

    kind: str
    side: str
    items: tuple[TrayItem, ...]


class Group(msgspec.Struct, frozen=True):
    """Pieces of one side of which the viewer knows types, but not which is which.

    `places`: spaces, and `<tray>.<side>` (`hand.red`) where pieces of that tray belong to it; `faces`: types known to be among its
    `count` pieces, each as often as known.
    """

    side: str
    places: tuple[str, ...]
    faces: tuple[str, ...]
    count: int


class Tint(msgspec.Struct, frozen=True):
    """A highlighted space; `kind`: `from`, `to` (the last move), `fighter`, `target` (an unfinished fight or choice).

    Of a region: `held.<side>`, `contested`.
    """

    place: str
    kind: str


class Button(msgspec.Struct, frozen=True):
    """Something to choose that is no space: `do.sword`, `do.apple`, `decline`. Words: `button.<id>`."""

    id: str


class ArrangePiece(msgspec.Struct, frozen=True):
    """A kind of piece to place: `count` of them are left; `action` places one; `letter` stands for it in a text."""

    face: str
    letter: str
    count: int
    action: int


class Arrange(msgspec.Struct, frozen=True):
    """Pieces to place, a deployment or gaps to fill: give each of `places`, in this order, one of `pieces`.

    Sending it is one action for each place in order. `pieces` may hold the face "" (a place that stays empty), and more
    pieces than places: the rest is kept.
    """

    places: tuple[str, ...]
    pieces: tuple[ArrangePiece, ...]


class Scene(msgspec.Struct, frozen=True):
    tokens: tuple[Token, ...]
    trays: tuple[Tray, ...]
    tints: tuple[Tint, ...]
    buttons: tuple[Button, ...]
    status: Line
    """Whose turn, which decision, or how it ended: `status.<code>`."""
    to_act: tuple[str, ...]
    """Sides that may act now."""
    turn: int
    """Turns completed, of all players."""
    arrange: Arrange | None = None
    groups: tuple[Group, ...] = ()
    started: bool = True
    """False before play: pieces are dealt or placed, or who begins is drawn."""
    out: tuple[str, ...] = ()
    """Sides that take part no longer while the match goes on."""


class Choice(msgspec.Struct, frozen=True):
    """One possible action: `path` of space ids, tray item ids and button ids, walked in order."""

    id: int
    verb: str
    """What the action does, as the catalogue words it: `move`, `attack`, `sword`, `look-hand`, `decline`, ..."""
    path: tuple[str, ...]

"""Scenes for screens: one vocabulary for all games, in three layouts (`grid`, `map`, `table`).

The page knows layouts and face names, but no rules. It gets a `Board` once, then `Scene`s and `Choice`s. A choice is a
short path of ids (spaces, tray items, buttons) that ends in one action. No path in a list begins another one, so after
each step it is clear whether a path is complete.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Line(msgspec.Struct, frozen=True):
    """A text as a code and arguments. A message catalogue has the words."""

    code: str
    args: dict[str, Any] = {}


class ArmyPiece(msgspec.Struct, frozen=True):
    face: str
    count: int


class Space(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place on the board where a token can stand. The page shows it as a button."""

    id: str
    name: str
    place: tuple[float, float]
    """Column and row, from the first player's near left corner; on a map, x and y in board units."""
    ground: str = "land"
    """`land`, or `water` or `rock`, which no piece enters."""
    near: tuple[str, ...] = ()
    """Ids of the neighbouring spaces, for keyboard and screen reader."""
    outline: str = ""
    """SVG path (layout `map`)."""
    reach: float = 0
    """Radius of the room for a token around `place`, in board units (layout `map`)."""
    zone: str = ""
    tags: tuple[str, ...] = ()


class Region(msgspec.Struct, frozen=True, omit_defaults=True):
    """Spaces that share a name (layout `map`). Their `Space.zone` is its id. Places are in board units."""

    id: str
    name: str
    lines: tuple[str, ...]
    """The name as written on the map, one string a line."""
    place: tuple[float, float]
    """The middle of these lines."""
    size: float
    """Height of a line, in board units."""
    tone: int
    """Colour number from 0 to 4; neighbours have different ones."""
    tower: tuple[float, float] | None = None
    """Place of its city; None if it has none."""


class Board(msgspec.Struct, frozen=True, omit_defaults=True):
    layout: str
    columns: int
    """On a map `columns` is the width and `rows` the height, in board units."""
    rows: int
    spaces: tuple[Space, ...]
    ridges: tuple[str, ...] = ()
    """SVG paths that nothing crosses (layout `map`)."""
    regions: tuple[Region, ...] = ()
    frontier: str = ""
    """SVG path of the borders between regions."""
    islets: tuple[str, ...] = ()
    """SVG paths of small islands, for decoration."""
    army: tuple[ArmyPiece, ...] = ()
    """Pieces of each side at the beginning, the highest rank first: beside the lost pieces they tell what a side still
    has. Empty if no lost pieces are shown.
    """


class Token(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece on the board. `id` follows the piece as far as all could see it move; it never tells which piece it
    is.
    """

    id: str
    place: str
    side: str
    face: str = ""
    """The piece type, such as `captain` or `bomb`; empty if the viewer does not know it."""
    marks: tuple[str, ...] = ()
    """`moved` (so it is no Bomb or Flag), `seen` (others than its owner know its type), `among` (one of a known group),
    `spent` (its rescue or power is used), `looked.<side>` (an own piece whose type this side knows, not all).
    """


class TrayItem(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    face: str
    count: int = 1
    side: str = ""
    """Owner, if that is not the tray's side, as for a captured Flag."""


class Tray(msgspec.Struct, frozen=True):
    """Pieces or cards beside the board; `kind`: `lost`, `hand`, `pile`, `reserve`, `flags`, `cards`, `discard`.

    `side` is empty if the tray belongs to nobody.
    """

    kind: str
    side: str
    items: tuple[TrayItem, ...]


class Group(msgspec.Struct, frozen=True):
    """Pieces of one side. The viewer knows some of their types, but not which piece has which.

    `places` are space ids, and `<tray>.<side>` (`hand.red`) if pieces of that tray belong to the group. `count` is the
    number of pieces. `faces` are the types known to be among them, each as often as it is known.
    """

    side: str
    places: tuple[str, ...]
    faces: tuple[str, ...]
    count: int


class Tint(msgspec.Struct, frozen=True):
    """A highlighted space. `kind` is `from` or `to` (the last move), `fighter` or `target` (an unfinished fight or
    choice).

    For a region it is `held.<side>` or `contested`.
    """

    place: str
    kind: str


class Button(msgspec.Struct, frozen=True):
    """A choice that is no space, such as `do.sword` or `decline`. The catalogue words it as `button.<id>`."""

    id: str


class ArrangePiece(msgspec.Struct, frozen=True):
    """A type of piece to place. `count` are left, `action` places one, `letter` stands for it in deployment texts."""

    face: str
    letter: str
    count: int
    action: int


class Arrange(msgspec.Struct, frozen=True):
    """Pieces to place, in a deployment or on gaps: each of `places`, in this order, gets one of `pieces`.

    One action is sent for each place, in order. The face "" in `pieces` stands for a place that stays empty. There may
    be more pieces than places; the rest is kept.
    """

    places: tuple[str, ...]
    pieces: tuple[ArrangePiece, ...]


class Score(msgspec.Struct, frozen=True):
    """Public score of a side. The catalogue words each number as `score.<code>`."""

    side: str
    counts: dict[str, int]
    """Numbers by code, such as `territories`."""
    flags: tuple[str, ...]
    """Sides whose Flags this side has; itself comes first while its own Flag is on the board."""
    leads: bool = False


class Hint(msgspec.Struct, frozen=True, omit_defaults=True):
    """Advice that a newcomer needs now. The catalogue words it as `hint.<code>`, short, as a sentence or two."""

    code: str
    on: tuple[str, ...] = ()
    """Spaces: the hint is shown while a choice begins at one of them. Empty: at once."""
    verbs: tuple[str, ...] = ()
    """Verbs of choices (beginning at one of `on`, if any) that follow the hint. Empty: any choice does, once it was
    shown.
    """


class Scene(msgspec.Struct, frozen=True):
    tokens: tuple[Token, ...]
    trays: tuple[Tray, ...]
    tints: tuple[Tint, ...]
    buttons: tuple[Button, ...]
    status: Line
    """The turn, the decision that is due, or the end of the match. The catalogue words it as `status.<code>`."""
    to_act: tuple[str, ...]
    """Sides that may act now."""
    turn: int
    """Number of completed turns of all players."""
    arrange: Arrange | None = None
    groups: tuple[Group, ...] = ()
    started: bool = True
    """False before play, while pieces are dealt or placed or lots decide who begins."""
    out: tuple[str, ...] = ()
    """Sides that have left while the match goes on."""
    headlines: tuple[Line, ...] = ()
    """Things the viewer must not forget while they last. The catalogue words them as `headline.<code>`."""
    scores: tuple[Score, ...] = ()
    """Score of each side, in games that keep one."""
    round: int = 0
    """Number of the round, from 1; 0 in games without rounds."""
    hints: tuple[Hint, ...] = ()
    """Hints for a viewer who may act and is new to the game; the most urgent first."""


FORETOLD = 20
"""Quiet turns before a draw at which the headline begins."""


def foretell_draw(quiet: int, most: int) -> tuple[Line, ...]:
    """Return the headline that `left` more quiet turns, which are few, draw the match; `most` of them in a row do. It
    never appears in the first half of them.
    """
    left = most - quiet
    return (Line("quiet", {"count": left}),) if 0 < left <= min(FORETOLD, most // 2) else ()


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One possible action. `path` holds ids of spaces, tray items and buttons, chosen in this order."""

    id: int
    verb: str
    """Kind of action, worded by the catalogue: `move`, `attack`, `sword`, `look-hand`, `decline`, ..."""
    path: tuple[str, ...]
    warning: Line | None = None
    """Warning before the action, which then needs a confirmation. Worded as `warning.<code>`."""

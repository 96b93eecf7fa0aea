"""Scenes for screens: one vocabulary for all games, in three layouts (`grid`, `map`, `table`).

The page knows layouts and names of faces, but no rules. It gets a `Board` once, then `Scene`s and `Choice`s. A choice
is a short path of ids (spaces, tray items, buttons) that ends in one action. No path of a list is the beginning of
another one, so it is always clear whether a path is complete.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Line(msgspec.Struct, frozen=True):
    """A text as a code with arguments. A message catalogue has the words."""

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
    """Column and row, counted from the near left corner of the first player; on a map, x and y in board units."""
    ground: str = "land"
    """`land`, or `water` or `rock`, which no piece enters."""
    near: tuple[str, ...] = ()
    """Ids of the neighbouring spaces, for keyboard and screen reader."""
    outline: str = ""
    """SVG path (layout `map`)."""
    reach: float = 0
    """Radius of the free circle for a token around `place`, in board units (layout `map`)."""
    zone: str = ""
    tags: tuple[str, ...] = ()


class Region(msgspec.Struct, frozen=True, omit_defaults=True):
    """Spaces that share a name (layout `map`); each of them has this region's id in `Space.zone`. Places are in board
    units.
    """

    id: str
    name: str
    lines: tuple[str, ...]
    """The name as written on the map, one string per line."""
    place: tuple[float, float]
    """The middle of the written name."""
    size: float
    """Height of a line of the name, in board units."""
    tone: int
    """Number of a colour, from 0 to 4; neighbouring regions have different colours."""
    tower: tuple[float, float] | None = None
    """Place of the region's city; None if it has none."""


class Board(msgspec.Struct, frozen=True, omit_defaults=True):
    layout: str
    columns: int
    """Number of columns; on a map the width in board units (and `rows` the height)."""
    rows: int
    spaces: tuple[Space, ...]
    ridges: tuple[str, ...] = ()
    """SVG paths of ridges, which nothing crosses (layout `map`)."""
    regions: tuple[Region, ...] = ()
    frontier: str = ""
    """SVG path of the borders between regions."""
    islets: tuple[str, ...] = ()
    """SVG paths of small islands, for decoration."""
    army: tuple[ArmyPiece, ...] = ()
    """Pieces of each side at the beginning, the highest rank first. Together with the lost pieces they show what a side
    still has. Empty if the game does not show lost pieces.
    """
    hints: tuple[str, ...] = ()
    """Codes of all hints (`Hint.code`) that a match with these rules may give, in the order of a match."""


class Token(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece on the board. `id` stays with the piece as long as everybody can follow its moves; it never reveals the
    type.
    """

    id: str
    place: str
    side: str
    face: str = ""
    """The piece type, such as `captain` or `bomb`; empty if the viewer does not know it."""
    marks: tuple[str, ...] = ()
    """`moved`: so it is no Bomb or Flag. `seen`: players other than its owner know its type. `among`: it is in a group
    of pieces some of whose types are known. `spent`: its rescue or power is used. `looked.<side>`: the viewer's own
    piece, whose type this side knows, but not all do.
    """


class TrayItem(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    face: str
    count: int = 1
    side: str = ""
    """Owner, if not the side of the tray, such as for a captured Flag."""


class Tray(msgspec.Struct, frozen=True):
    """Pieces or cards beside the board. `kind`: `lost`, `hand`, `pile`, `reserve`, `flags`, `cards`, `discard`. `side`
    is empty if the tray belongs to nobody.
    """

    kind: str
    side: str
    items: tuple[TrayItem, ...]


class Group(msgspec.Struct, frozen=True):
    """Pieces of one side. The viewer knows some of their types, but not which piece has which.

    `places`: space ids, and `<tray>.<side>` (`hand.red`) if pieces of that tray belong to the group. `count`: the
    number of pieces. `faces`: the types known to be among them, each as often as it is known.
    """

    side: str
    places: tuple[str, ...]
    faces: tuple[str, ...]
    count: int


class Tint(msgspec.Struct, frozen=True):
    """A highlighted space. `kind`: `from` or `to` (the last move), `fighter` or `target` (an unfinished fight or
    choice).

    For a region `kind` is `held.<side>` or `contested`.
    """

    place: str
    kind: str


class Button(msgspec.Struct, frozen=True):
    """A choice that is not a space, such as `do.sword` or `decline`. Its text in the catalogue is `button.<id>`."""

    id: str


class ArrangePiece(msgspec.Struct, frozen=True):
    """A type of piece to place. `count`: number left; `action`: action that places one; `letter`: letter in deployment
    texts.
    """

    face: str
    letter: str
    count: int
    action: int


class Arrange(msgspec.Struct, frozen=True):
    """Pieces to place, in a deployment or on gaps: each of `places`, in this order, gets one of `pieces`.

    The client sends one action per place, in order. The face "" in `pieces` means that a place stays empty. If there
    are more pieces than places, the player keeps the rest.
    """

    places: tuple[str, ...]
    pieces: tuple[ArrangePiece, ...]


class Score(msgspec.Struct, frozen=True):
    """Public score of a side. The text of each number in the catalogue is `score.<code>`."""

    side: str
    counts: dict[str, int]
    """Numbers by code, such as `territories`."""
    flags: tuple[str, ...]
    """Sides whose Flags this side has. The side itself comes first while its own Flag is on the board."""
    leads: bool = False


class Hint(msgspec.Struct, frozen=True, omit_defaults=True):
    """Advice that a newcomer needs now. Its text in the catalogue is `hint.<code>`, one or two short sentences."""

    code: str
    on: tuple[str, ...] = ()
    """Spaces: the hint is shown when a choice begins at one of them. Empty: it is shown at once."""
    verbs: tuple[str, ...] = ()
    """Verbs of choices that follow the hint; the choices begin at a space of `on`, if there are any. Empty: after the
    hint was shown, any choice counts as following it.
    """


class Scene(msgspec.Struct, frozen=True):
    tokens: tuple[Token, ...]
    trays: tuple[Tray, ...]
    tints: tuple[Tint, ...]
    buttons: tuple[Button, ...]
    status: Line
    """The turn, the decision that is due, or the end of the match. Its text in the catalogue is `status.<code>`."""
    to_act: tuple[str, ...]
    """Sides that may act now."""
    turn: int
    """Number of completed turns of all players."""
    arrange: Arrange | None = None
    groups: tuple[Group, ...] = ()
    started: bool = True
    """False before play: while pieces are dealt or placed, or lots decide who begins."""
    out: tuple[str, ...] = ()
    """Sides that have left while the match goes on."""
    left: tuple[Line, ...] = ()
    """The event with which each side of `out` has left; its arguments name the `side`."""
    headlines: tuple[Line, ...] = ()
    """Things that the viewer must not forget while they last. Their texts in the catalogue are `headline.<code>`."""
    scores: tuple[Score, ...] = ()
    """Score of each side, in games that have scores."""
    round: int = 0
    """Number of the round, from 1; 0 in games without rounds."""


FORETOLD = 20
"""Number of quiet turns before a draw at which the headline appears."""


def foretell_draw(quiet: int, most: int) -> tuple[Line, ...]:
    """Return the headline that warns of a draw when few quiet turns are left. `most`: number of consecutive quiet turns
    that draw the match. In the first half of them the headline never appears.
    """
    left = most - quiet
    return (Line("quiet", {"count": left}),) if 0 < left <= min(FORETOLD, most // 2) else ()


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One possible action. `path`: ids of spaces, tray items and buttons, chosen in this order."""

    id: int
    verb: str
    """Kind of action; the catalogue has its text: `move`, `attack`, `sword`, `look-hand`, `decline`, ..."""
    path: tuple[str, ...]
    warning: Line | None = None
    """Warning before the action, which the player must then confirm. Its text in the catalogue is `warning.<code>`."""

"""Observation tensors. This file lists every channel once, with its meaning. Reads only views, never states."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import Tensors
from gonfalon.engine.view import View
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.ruleset import MOST_CARDS, TYPES

_TYPES = TYPES[1:]
_ALIKE = 8
"""Number of cards of one type that becomes 1 in a plane; higher numbers become 1 too."""
_TURNS, _QUIET = 500, 60

CHANNELS: tuple[str, ...] = (
    # On the places of a line: the viewer's knowledge of the enemy's cards, and the enemy's knowledge of the viewer's
    # cards.
    *(f"is {name}" for name in _TYPES),  # 1 where the viewer knows that the card is of this type
    "hidden",  # 1 for a card whose type the viewer does not know
    "gap",  # 1 where no card lies
    "seen",  # 1 where the other side knows the type
    "among",  # 1 where the other side knows that the card is in a group
    "public",  # 1 where all know the type
    *(f"among {name}" for name in _TYPES),  # share of this type in the card's group, as far as known
    *(f"not {name}" for name in _TYPES),  # 1 where the other side knows that the card is not of this type
    *(f"laid {name}" for name in _TYPES),  # 1 on gaps where the viewer's open choice puts this type
    "decided",  # 1 on gaps that the open choice has already decided
    "last from",  # 1 on the place of the card that did the last act
    "last to",  # 1 on the places that were attacked or looked at
    # One value for a whole row, about the side of the row.
    *(f"hand {name}" for name in _TYPES),  # cards of this type in the hand, of 8, if the viewer sees the hand
    *(f"hand among {name}" for name in _TYPES),  # cards of this type known in the group of the hand, of 8
    *(f"pile {name}" for name in _TYPES),  # of 8, only for an observer who sees everything
    *(f"lost {name}" for name in _TYPES),  # cards of this type that left the game, of 8
    "hand size",  # of 8
    "pile size",  # of 40
    "mover",  # 1 if it is this side's turn
    "ready",  # 1 if this side's first line is final
    # One value for the whole plane.
    *(f"phase {name}" for name in ("draw", "lay", "act", "over")),
    "started",  # 1 once both lines have been laid
    "anew",  # 1 while the Flag trick is carried out
    "own turn",  # 1 if the viewer is to act
    "turn",  # turns / 500, at most 1
    "quiet",  # quiet turns / 60, at most 1
    "viewer is red",
)
WHERE = {name: k for k, name in enumerate(CHANNELS)}


def encode(view: View) -> Tensors:
    """Return planes float32 (channels, 2, 5). Row 0 is the viewer's line, row 1 the enemy's. Both run from red's left,
    so places have the same numbers as in actions. For a spectator row 0 is red's line.
    """
    me = view.observer if view.observer in (0, 1) else 0
    planes = np.zeros((len(CHANNELS), 2, g.LINE), np.float32)
    for row, side in enumerate((me, 1 - me)):
        _line(planes[:, row], view, side)
        _side(planes[:, row], view, side)
    _last(planes, view, me)
    _whole(planes, view, me)
    return Tensors(planes, CHANNELS)


def _of_types(name: str) -> slice:
    """Return the channels that begin with `name` and end with a type."""
    first = WHERE[f"{name} {_TYPES[0]}"]
    return slice(first, first + len(_TYPES))


def _line(row: NDArray[np.float32], view: View, side: int) -> None:
    """Fill the channels (n, 5) of one line."""
    first = side * g.SIDE_PLACES
    line = slice(first, first + g.LINE)
    kind, marks = view.kind[line], view.marks[line]
    types = np.arange(1, g.TYPES)[:, None]
    row[_of_types("is")] = kind == types
    row[WHERE["hidden"]] = kind == g.HIDDEN
    row[WHERE["gap"]] = kind == 0
    row[WHERE["seen"]], row[WHERE["among"]] = marks == g.SEEN, marks == g.AMONG
    row[WHERE["public"]] = view.public[line]
    row[_of_types("not")] = view.ruled_out[line] >> types & 1
    row[_of_types("laid")] = view.laid[side] == types
    gaps = np.flatnonzero(kind == 0)
    row[WHERE["decided"], gaps[: view.placed[side]]] = 1
    for k, group in enumerate(view.group[line].tolist()):
        if group != g.NONE:
            row[_of_types("among"), k] = view.among[group, 1:] / (view.group == group).sum()


def _side(row: NDArray[np.float32], view: View, side: int) -> None:
    """Fill the channels (n, 5) that have the same value on a whole row."""
    first = side * g.SIDE_PLACES + g.LINE
    hand = view.kind[first : first + g.DEALT].tolist()
    counts = [hand.count(kind) for kind in range(1, g.TYPES)]
    group = int(view.group[first])
    among = view.among[group, 1:] if group != g.NONE else np.zeros(len(_TYPES))
    for name, numbers in (
        ("hand", np.array(counts)),
        ("hand among", among),
        ("pile", view.pile[side, 1:]),
        ("lost", view.lost[side, 1:]),
    ):
        row[_of_types(name)] = np.minimum(numbers, _ALIKE)[:, None] / _ALIKE
    row[WHERE["hand size"]] = view.n_hand[side] / g.DEALT
    row[WHERE["pile size"]] = view.n_pile[side] / MOST_CARDS
    row[WHERE["mover"]] = view.mover == side
    row[WHERE["ready"]] = view.ready[side]


def _last(planes: NDArray[np.float32], view: View, me: int) -> None:
    for name, places in (("last from", view.last[1:2]), ("last to", view.last[2:])):
        for place in places[places != g.NONE].tolist():
            side, k = divmod(place, g.SIDE_PLACES)
            planes[WHERE[name], int(side != me), k] = 1


def _whole(planes: NDArray[np.float32], view: View, me: int) -> None:
    planes[WHERE["phase draw"] + int(view.phase)] = 1
    planes[WHERE["started"]] = view.started
    planes[WHERE["anew"]] = view.anew
    planes[WHERE["own turn"]] = view.n_legal > 0
    planes[WHERE["turn"]] = min(1.0, view.turn / _TURNS)
    planes[WHERE["quiet"]] = min(1.0, view.quiet / _QUIET)
    planes[WHERE["viewer is red"]] = me == 0

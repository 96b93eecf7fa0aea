"""Revealed types of a side's pieces by their deployment squares, read from a player's events."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.events import Event
from gonfalon.games.grid import state as g
from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.text.notation import SQUARE_NAMES

_SQUARES = {name: square for square, name in enumerate(SQUARE_NAMES)}


def read_faces(events: Sequence[Event], side: int) -> NDArray[np.int64] | None:
    """Return by square the type of the piece of `side` that was placed there: g.HIDDEN if it was never shown, 0 for no
    piece. Fallen pieces count too. None if the events do not go back to the beginning of play.
    """
    start = next((k for k, event in enumerate(events) if event.code == "start"), None)
    return None if start is None else _Placed(events[start].args["spaces"], g.SIDES[side]).follow(events[start + 1 :])


class _Placed:
    """The pieces of one side, each named by its deployment square."""

    def __init__(self, spaces: dict[str, str], side: str) -> None:
        """`spaces`: the sides of pieces by square, as play begins."""
        self._side = side
        self._placed = {space: _SQUARES[space] for space, owner in spaces.items() if owner == side}
        """Deployment square of each piece of this side, by the square where it stands now."""
        self._faces = np.zeros(g.SQUARES, np.int64)
        self._faces[list(self._placed.values())] = g.HIDDEN

    def follow(self, events: Sequence[Event]) -> NDArray[np.int64]:
        attack = None
        for event in events:
            args = event.args
            if event.code in ("moved", "ran"):
                if event.code == "ran" and args["side"] == self._side:
                    self._show(args["from"], args["face"])
                self._move(args["from"], args["to"])
            elif event.code == "revealed":
                self._show(args["space"], args["face"])
            elif event.code == "attacked":
                attack = (args["from"], args["to"])
            elif event.code.startswith("battle-"):
                fought = (args["from"], args["space"])
                self._battle(event, moves=attack == fought)
                attack = None
        return self._faces

    def _battle(self, event: Event, *, moves: bool) -> None:
        """`moves`: whether a winning attacker takes the defender's square; with a Sword or an Apple it does not."""
        attacker, defender = event.args["from"], event.args["space"]
        self._show(attacker, event.args["attacker_face"])
        self._show(defender, event.args.get("defender_face"))
        if event.code in ("battle-won", "battle-both"):
            self._placed.pop(defender, None)
        if event.code != "battle-won":
            self._placed.pop(attacker, None)
        elif moves:
            self._move(attacker, defender)

    def _move(self, begin: str, end: str) -> None:
        if begin in self._placed:
            self._placed[end] = self._placed.pop(begin)

    def _show(self, space: str, face: str | None) -> None:
        if space in self._placed and face is not None:
            self._faces[self._placed[space]] = TYPES.index(face)

"""The history of the enemy's hidden cards, from a player's events: when each card was laid, and the acts that it could
have done but did not do.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gonfalon.engine.events import Event
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.ruleset import TYPES
from gonfalon.games.cardgame.text.notation import SPACES

NAMES = {name: kind for kind, name in enumerate(TYPES)}
ACTS = frozenset({"attacked", "looked-hand", "looked-line", "looked-line-one", "trick"})


class Story:
    """Follows a match by the events of one player.

    `stayed`: int64 (LINE, TYPES): for each place of the enemy line, the number of enemy turns in which its card did not
    act, by `context` (the best card of the player that the enemy knew then). `first`: bool (LINE,), whether the card
    was laid together with the whole line.
    """

    def __init__(self, side: int) -> None:
        self.side = side
        self.stayed = np.zeros((g.LINE, g.TYPES), np.int64)
        self.first = np.zeros(g.LINE, np.bool_)
        self._own = np.zeros(g.LINE, np.int64)
        self._shown = np.zeros(g.LINE, np.bool_)
        self._laying = np.zeros(g.LINE, np.int64)
        self._anew = False

    @classmethod
    def of(cls, side: int, events: Sequence[Event]) -> Story:
        story = cls(side)
        for event in events:
            story.hear(event)
        return story

    def context(self) -> int:
        """Return the type of the player's best card that the enemy knows; 0 if there is none. The Flag comes before all
        other cards, Bombs come last.
        """
        shown = self._own[self._shown]
        movable = shown[shown < g.BOMB]
        if g.FLAG in shown:
            return g.FLAG
        return int(movable.max()) if len(movable) and movable.max() else g.BOMB if g.BOMB in shown else 0

    def hear(self, event: Event) -> None:
        """Process one event."""
        args = event.args
        own = args.get("side") == g.SIDES[self.side]
        if event.code in ACTS and not own:
            self._wait()
        match event.code:
            case "placed" if own:
                self._laying[_column(args["space"])] = NAMES[str(args["face"])]
            case "start":
                self._lay_own(range(g.LINE))
                self._lay_theirs(range(g.LINE), first=True)
            case "laid" if own:
                self._lay_own([_column(space) for space in args["spaces"]])
            case "laid":
                self._lay_theirs([_column(space) for space in args["spaces"]], first=self._anew)
                self._anew = False
            case "trick":
                self._trick(own)
            case "revealed" if own:
                self._shown[_column(args["space"])] = True
            case "looked-line" | "looked-line-one" if not own:
                for key in ("first_space", "second_space"):
                    if key in args:
                        self._shown[_column(args[key])] = True
            case "battle-won" | "battle-lost" | "battle-both":
                k = _column(args["from" if own else "space"])
                left = event.code in ("battle-both", "battle-lost" if own else "battle-won")
                self._own[k], self._shown[k] = 0 if left else self._own[k], not left

    def _wait(self) -> None:
        """Note an enemy turn: all hidden cards except the acting one did nothing. The acting card is known from now
        on.
        """
        self.stayed[:, self.context()] += 1

    def _lay_own(self, places: Sequence[int]) -> None:
        for k in places:
            self._own[k], self._shown[k] = self._laying[k], False

    def _lay_theirs(self, places: Sequence[int], *, first: bool) -> None:
        for k in places:
            self.stayed[k], self.first[k] = 0, first

    def _trick(self, own: bool) -> None:
        if own:
            self._own[:], self._shown[:] = 0, False
        else:
            self._anew = True


def _column(space: object) -> int:
    return SPACES[str(space)] % g.SIDE_PLACES

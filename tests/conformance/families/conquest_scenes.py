"""Counts how often a scene of Conquest names each type and card, from its observer's knowledge."""

from __future__ import annotations

from collections import Counter

import numpy as np

from conformance.families.conquest_watcher import DRAWN_FIRST, UnitWatcher
from gonfalon.engine.game import State
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS, TYPES


class ConquestWatcher(UnitWatcher):
    def mentions(self, state: State, observer: int) -> Counter[str]:
        row = state[0]
        show = bool(self.game.info.ruleset.values["show_known"])
        found = self._tokens(row, observer, show) + self._trays(row, observer, show) + self._choice(row, observer)
        found += self._taken_up(row, observer)
        if show:
            found.update(TYPES[kind] for pool in self.groups(observer) for kind in pool.known.elements())
        return Counter({face: count for face, count in found.items() if face and count})

    def _tokens(self, row: np.void, observer: int, show: bool) -> Counter[str]:
        """Count faces of tokens. If `show_known` is off, nothing that was seen of other players is shown."""
        lifted = row["chosen"].tolist() if self._orders(row, observer) else []
        kinds = [
            self.known(unit, observer)
            for zone, unit in self.at.items()
            if zone not in lifted and (show or unit.side == observer)
        ]
        return Counter(TYPES[kind] for kind in (*kinds, *self.drafts(row, observer).values()))

    def _taken_up(self, row: np.void, observer: int) -> Counter[str]:
        """CQ-27: count faces of lifted units: the player who puts three units back sees where each came from."""
        zones = row["chosen"].tolist() if self._orders(row, observer) else []
        return Counter(TYPES[self.known(self.at[zone], observer)] for zone in zones)

    def _trays(self, row: np.void, observer: int, show: bool) -> Counter[str]:
        """Count faces in trays. An item names its face twice (id and face), but a held Flag only once."""
        found: Counter[str] = Counter()
        for side in range(self.game.info.players):
            if show or side == observer:
                found.update({TYPES[kind]: 2 for kind in self.reserve(side, observer)})
            for unit in self.of(side, g.IN_HAND):
                found[TYPES[self.known(unit, observer) if show or side == observer else 0]] += 2
            found[TYPES[g.FLAG]] += int(row["holder"][side] not in (side, g.NONE))
        if row["phase"] == g.RAISE:
            found[TYPES[g.FLAG]] += 2
        for cards in (row["discard"], row["table"]):
            found.update({CARDS[card]: 2 for card in np.flatnonzero(cards).tolist()})
        return found

    def _orders(self, row: np.void, observer: int) -> bool:
        return bool(row["phase"] == g.ORDER and row["mover"] == observer)

    def _choice(self, row: np.void, observer: int) -> Counter[str]:
        """Count faces that are named as choices (pieces to place, guesses), and the card that is being played."""
        if observer < 0 or row["out"][observer]:
            return Counter()
        if row["phase"] == g.DEPLOY:
            zones, done = len(self.own_zones(row, observer)), int(row["placed"][observer])
            left = Counter(dict(enumerate(self.rules["army"].tolist())))
            left -= Counter(row["laid"][observer][:done].tolist())
            return Counter(TYPES[kind] for kind in left if kind) if done < zones else Counter()
        if row["mover"] != observer:
            return Counter()
        if row["phase"] == g.GUESS:
            return Counter(TYPES[1:])
        if row["phase"] == g.AIM and row["playing"] not in DRAWN_FIRST:
            return Counter([CARDS[row["playing"]]])
        if row["phase"] == g.ORDER:
            left = Counter(self.at[zone].kind for zone in row["chosen"].tolist())
            left -= Counter(row["ordered"][: row["n_ordered"]].tolist())
            return Counter(TYPES[kind] for kind in left)
        return Counter()
